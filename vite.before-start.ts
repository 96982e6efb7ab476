// Emits web/before-start.js under a hashed name. During a rolling upgrade every instance can then serve it to pages of
// either version.
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** Name of the emitted file in the bundle. */
export const beforeStartFile = /^assets\/before-start-.*\.js$/

export function hashBeforeStart(): Plugin {
  return {
    name: 'hash-before-start',
    apply: 'build',
    buildStart() {
      const source = readFileSync('web/before-start.js', 'utf8')
      this.emitFile({ type: 'asset', name: 'before-start.js', source })
      // Pages of the previous version request this name during an upgrade. Remove it in the next version.
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
