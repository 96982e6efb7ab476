// Writes the page for Browse, where members start: index.html with links to the files of that screen. The browser loads
// them along with those of the app, instead of after the app has started. Fonts come after the scripts, because nothing
// is rendered before the scripts run. The page is in a dot folder, because the server fills in its head before serving
// it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { getProfile } from './contract/profiles.ts'
import { getSite } from './contract/site.ts'
import { collectFiles, findChunk } from './vite.landing.ts'

/** API requests that the page preloads: those that are the same for every user and all filters. */
const firstRequests = [getProfile.path, getSite.path]

export function linkFirstScreen(): Plugin {
  return {
    name: 'link-first-screen',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      if (!dir) throw new Error('The build has no folder')
      const screen = findChunk(bundle, '/browse/browse-page.tsx')
      const scripts = collectFiles(bundle, screen, ({ fileName }) => [fileName])
      const styles = collectStyles(bundle, screen)
      const page = readFileSync(join(dir, 'index.html'), 'utf8').replaceAll(
        '<link rel="preload" as="font"',
        (link) => `${link} fetchpriority="low"`,
      )
      const tags = [
        ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
        ...styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
        ...firstRequests.map(
          (path) => `<link rel="preload" as="fetch" crossorigin href="${path}">`,
        ),
      ].filter((tag) => !page.includes(tag))
      const folder = join(dir, '.screens')
      mkdirSync(folder)
      writeFileSync(
        join(folder, 'browse.html'),
        page.replace(/\s*<\/head>/, (end) => `\n    ${tags.join('\n    ')}${end}`),
      )
    },
  }
}

/**
 * Returns the style sheets of a screen. Those of imported chunks come first, because a screen overrides rules of its
 * components.
 */
function collectStyles(bundle: Rolldown.OutputBundle, screen: Rolldown.OutputChunk): string[] {
  const visited = new Set<Rolldown.OutputChunk>()
  const styles = new Set<string>()
  const visit = (chunk: Rolldown.OutputChunk) => {
    if (visited.has(chunk)) return
    visited.add(chunk)
    for (const name of chunk.imports) {
      const file = bundle[name]
      if (file?.type === 'chunk') visit(file)
    }
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style)
  }
  visit(screen)
  return [...styles]
}
