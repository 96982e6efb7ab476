// Builds web/ into dist/. File names carry a content hash, so everything under assets/ can be cached forever.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin, type Rolldown } from 'vite'
import packageJson from './package.json' with { type: 'json' }
import { beforeStartFile, hashBeforeStart } from './vite.before-start.ts'
import { nameBreakpoints } from './vite.breakpoints.ts'
import { chunkGroups } from './vite.chunks.ts'
import { leaveSchemasOut } from './vite.contract.ts'
import { linkFirstScreen } from './vite.first-screen.ts'
import { buildIcons } from './vite.icons.ts'
import { buildLandingPage } from './vite.landing.ts'
import { expandMixins } from './vite.mixins.ts'
import { namePublicPageFiles } from './vite.public-pages.ts'

/** The oldest supported browsers, from package.json. Vite writes 'ios_saf >= 17.4' as 'ios17.4'. */
const target = packageJson.browserslist.map((entry) =>
  entry.replace('ios_saf', 'ios').replace(' >= ', ''),
)

const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`

/** The two font files that the first screen uses. */
const criticalFonts = /(?:fraunces-latin-soft100|hanken-grotesk-latin-wght-normal)-.*\.woff2$/

export default defineConfig({
  root: 'web',
  plugins: [
    react(),
    buildIcons(),
    nameBreakpoints(),
    expandMixins(),
    leaveSchemasOut(),
    preloadCriticalFonts(),
    hashBeforeStart(),
    buildLandingPage(),
    linkFirstScreen(),
    namePublicPageFiles(criticalFonts),
    buildServiceWorker(),
    compressFiles(),
  ],
  build: {
    target,
    outDir: '../dist',
    emptyOutDir: true,
    // The content security policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    // Every supported browser implements `modulepreload`, so no polyfill is needed.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Building a zod schema has no side effects, so unused schemas can be dropped.
      treeshake: { manualPureFunctions: ['z'] },
      output: { codeSplitting: { groups: chunkGroups() } },
      input: {
        index: 'web/index.html',
        'landing-start': 'web/app/landing-start.ts',
        'public-page': 'web/public-pages/public-page.ts',
        embed: 'web/public-pages/embed.ts',
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': server, '/media': server, '/manifest.webmanifest': server },
  },
})

/** Only the bundler knows the hashed names, so the preload links are written at the end of the build. */
function preloadCriticalFonts(): Plugin {
  return {
    name: 'preload-critical-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        return Object.keys(bundle ?? {})
          .filter((file) => criticalFonts.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              href: `/${file}`,
              crossorigin: '',
            },
            injectTo: 'head' as const,
          }))
      },
    },
  }
}

/** Builds a classic script at the root. It embeds the list of files to cache, whose names change with each build. */
function buildServiceWorker(): Plugin {
  return {
    name: 'build-service-worker',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      if (!dir) throw new Error('The build has no folder')
      await build({
        configFile: false,
        root: 'web',
        publicDir: false,
        logLevel: 'warn',
        define: {
          __APP_SHELL__: JSON.stringify(appShell(dir, bundle)),
          'process.env.NODE_ENV': '"production"',
        },
        build: {
          target,
          outDir: dir,
          emptyOutDir: false,
          rolldownOptions: {
            input: 'web/service-worker/service-worker.ts',
            output: { format: 'iife', entryFileNames: 'service-worker.js' },
          },
        },
      })
    },
  }
}

/**
 * The files that members' screens need offline. Admin screens and public pages are left out: they need the server
 * anyway.
 */
function appShell(folder: string, bundle: Rolldown.OutputBundle) {
  const files = new Set<string>()
  const add = (name: string) => {
    const chunk = bundle[name]
    if (!chunk || files.has(name)) return
    if (chunk.type === 'chunk') {
      if (/\/web\/(?:admin|public-pages)\//.test(chunk.facadeModuleId ?? '')) return
      for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style)
      files.add(name)
      for (const other of [...chunk.imports, ...chunk.dynamicImports]) add(other)
    } else if (criticalFonts.test(name) || beforeStartFile.test(name)) files.add(name)
  }
  for (const [name, file] of Object.entries(bundle)) {
    if (file.type === 'asset' || file.isEntry) add(name)
  }
  const hashed = [...files].toSorted().map((name) => ({ url: `/${name}`, revision: null }))
  const named = ['index.html', 'icon.svg'].map((name) => ({
    url: `/${name}`,
    revision: createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
      .slice(0, 16),
  }))
  return [...hashed, ...named]
}

/** Compresses at the highest level during the build, so the server never compresses files itself. */
function compressFiles(): Plugin {
  let folder = ''
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir)
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        // The server never serves files in dot folders, so they need no compressed copies.
        if (name.startsWith('.') || !/\.(?:js|css|html|svg|json|webmanifest)$/.test(name)) continue
        const path = join(folder, name)
        const bytes = readFileSync(path)
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
