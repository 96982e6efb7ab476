// Builds web/ into dist/. Names carry a content hash, so everything under assets/ may be kept for ever.
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`

/** The two faces that the first screen is set in. */
const criticalFonts = /(?:fraunces-latin-full|hanken-grotesk-latin-wght)-normal.*\.woff2$/

export default defineConfig({
  root: 'web',
  plugins: [react(), preloadCriticalFonts()],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    // The content security policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    manifest: true,
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': server, '/media': server },
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
