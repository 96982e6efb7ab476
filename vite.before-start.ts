// Emits web/before-start.js under a file name with a content hash. During a rolling upgrade every instance can then
// serve the file to pages of either version.
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** Matches the name of the emitted file in the bundle. */
export const beforeStartFile = /^assets\/before-start-.*\.js$/

export function hashBeforeStart(): Plugin {
  return {
    name: 'hash-before-start',
    apply: 'build',
    buildStart() {
      const source = readFileSync('web/before-start.js', 'utf8')
      this.emitFile({ type: 'asset', name: 'before-start.js', source })
      // During an upgrade, pages of the previous version request the file by this name. Remove this line in the next
      // version.
      this.emitFile({ type: 'asset', fileName: 'color-scheme.js', source })
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((name) => beforeStartFile.test(name))
        if (!file) throw new Error('The build has no before-start.js')
        return html.replace('src="/before-start.js"', `src="/${file}"`)
      },
    },
  }
}
