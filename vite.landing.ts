// Builds what the server needs to render the landing page: two HTML shells, and the code that renders their content.
// The output goes to dist/.landing, which is never served directly.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build, type Plugin, type Rolldown } from 'vite'
import { nameBreakpoints } from './vite.breakpoints.ts'
import { buildIcons } from './vite.icons.ts'
import { expandMixins } from './vite.mixins.ts'

export function buildLandingPage(): Plugin {
  return {
    name: 'build-landing-page',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      if (!dir) throw new Error('The build has no folder')
      const folder = join(dir, '.landing')
      mkdirSync(folder)
      const page = readFileSync(join(dir, 'index.html'), 'utf8')
      const drawn = withOneStyle(withLandingFiles(page, bundle), dir)
      writeFileSync(join(folder, 'member.html'), drawn)
      writeFileSync(join(folder, 'visitor.html'), withoutApp(drawn, bundle))
      await buildRenderer(folder)
    },
  }
}

/** Links the screen's styles in the head, so they load before the first paint, and adds its script to the app's. */
function withLandingFiles(page: string, bundle: Rolldown.OutputBundle): string {
  const screen = findChunk(bundle, '/landing/landing-screen.tsx')
  const start = findChunk(bundle, '/app/landing-start.ts')
  const styles = collectFiles(bundle, screen, ({ viteMetadata }) => [
    ...(viteMetadata?.importedCss ?? []),
  ])
  const scripts = collectFiles(bundle, start, ({ fileName }) => [fileName])
  const tags = [
    ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ].filter((tag) => !page.includes(tag))
  tags.push(`<script type="module" crossorigin src="/${start.fileName}"></script>`)
  return (
    page
      // Remove the notice for browsers without scripts: this page can be read and its audio played without them.
      .replace(/\s*<noscript>.*?<\/noscript>/s, '')
      .replace(/\s*<\/head>/, (end) => `\n    ${tags.join('\n    ')}${end}`)
  )
}

/** Joins all styles into one file: styles block the first paint, and each file costs a request on a slow connection. */
function withOneStyle(page: string, folder: string): string {
  const links = [...page.matchAll(/\s*<link rel="stylesheet" crossorigin href="\/([^"]+)">/g)]
  const styles = links.map(([, file = '']) => readFileSync(join(folder, file), 'utf8')).join('\n')
  const hash = createHash('sha256').update(styles).digest('base64url').slice(0, 8)
  const name = `assets/landing-page-${hash}.css`
  writeFileSync(join(folder, name), styles)
  const whole = `\n    <link rel="stylesheet" crossorigin href="/${name}">`
  return links.reduce((html, [link], at) => html.replace(link, () => (at === 0 ? whole : '')), page)
}

/** Removes the app's files from a visitor's page. The start script loads them later, from the URLs in `data-app`. */
function withoutApp(page: string, bundle: Rolldown.OutputBundle): string {
  const entry = findChunk(bundle, '/web/index.html')
  const screen = findChunk(bundle, '/landing/landing-screen.tsx')
  const start = findChunk(bundle, '/app/landing-start.ts')
  const own = collectFiles(bundle, start, ({ fileName }) => [fileName])
  const app = [entry, screen]
    .flatMap((chunk) => collectFiles(bundle, chunk, ({ fileName }) => [fileName]))
    .filter((file, at, all) => all.indexOf(file) === at && !own.includes(file))
  return app
    .reduce(
      (html, file) =>
        html.replace(new RegExp(`\\s*<[^>]*(?:href|src)="/${file}"[^>]*>(?:</script>)?`), ''),
      page,
    )
    .replace(
      `src="/${start.fileName}"`,
      (source) => `${source} data-app="${app.map((file) => `/${file}`).join(' ')}"`,
    )
}

export function findChunk(bundle: Rolldown.OutputBundle, source: string): Rolldown.OutputChunk {
  for (const file of Object.values(bundle)) {
    if (file.type === 'chunk' && file.facadeModuleId?.endsWith(source)) return file
  }
  throw new Error(`${source} has no chunk of its own`)
}

/**
 * Calls `pick` for a chunk and all its static imports, starting with the chunk itself, and returns the distinct
 * results.
 */
export function collectFiles(
  bundle: Rolldown.OutputBundle,
  chunk: Rolldown.OutputChunk,
  pick: (chunk: Rolldown.OutputChunk) => string[],
): string[] {
  const found = new Set<Rolldown.OutputChunk>()
  const visit = (one: Rolldown.OutputChunk) => {
    if (found.has(one)) return
    found.add(one)
    for (const name of one.imports) {
      const file = bundle[name]
      if (file?.type === 'chunk') visit(file)
    }
  }
  visit(chunk)
  return [...new Set([...found].flatMap(pick))]
}

/** Bundles all dependencies: React isn't installed in production. */
async function buildRenderer(folder: string): Promise<void> {
  await build({
    configFile: false,
    root: 'web',
    publicDir: false,
    logLevel: 'warn',
    // Use the same style plugins as the app's build: class names contain a hash of the style sheet's text.
    plugins: [react(), nameBreakpoints(), expandMixins(), buildIcons()],
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: {
      ssr: 'app/landing-page.tsx',
      outDir: folder,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      minify: true,
      rolldownOptions: { output: { entryFileNames: 'landing-page.js' } },
    },
  })
}
