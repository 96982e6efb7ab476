// Lists the styles, scripts and fonts of public pages and embeds for the server, which writes their HTML. The output
// goes to dist/.landing, which is never served directly.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { beforeStartFile } from './vite.before-start.ts'

export function namePublicPageFiles(fonts: RegExp): Plugin {
  return {
    name: 'name-public-page-files',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      if (!dir) throw new Error('The build has no folder')
      const names = Object.keys(bundle)
      const filesOf = (source: string) => {
        const { script, styles } = findFiles(bundle, source)
        return {
          styles: [`/${joinStyles(styles, dir)}`],
          scripts: [`/${script}`],
          fonts: names.filter((name) => fonts.test(name)).map((name) => `/${name}`),
        }
      }
      const beforeStart = names.find((name) => beforeStartFile.test(name))
      if (!beforeStart) throw new Error('The build has no before-start.js')
      const files = {
        beforeStart: `/${beforeStart}`,
        page: filesOf('/public-pages/public-page.ts'),
        embed: filesOf('/public-pages/embed.ts'),
      }
      writeFileSync(join(dir, '.landing', 'public-pages.json'), JSON.stringify(files))
    },
  }
}

/** Finds the chunk of a source file, and the styles of that chunk and all its imports. */
function findFiles(bundle: Rolldown.OutputBundle, source: string) {
  const entry = Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(source),
  )
  if (entry?.type !== 'chunk') throw new Error(`${source} has no chunk of its own`)
  const styles = new Set<string>()
  const visit = (name: string) => {
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk') return
    for (const other of chunk.imports) visit(other)
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style)
  }
  visit(entry.fileName)
  return { script: entry.fileName, styles: [...styles] }
}

/** Joins the styles into one file: styles block the first paint, and each file costs a request. */
function joinStyles(names: readonly string[], folder: string): string {
  const styles = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
  const hash = createHash('sha256').update(styles).digest('base64url').slice(0, 8)
  const name = `assets/public-page-${hash}.css`
  writeFileSync(join(folder, name), styles)
  return name
}
