// Expands mixins in style sheets: `@apply --line-3;` becomes the declarations of `@mixin --line-3` in mixins.css. The
// syntax is that of the CSS Mixins draft (https://drafts.csswg.org/css-mixins-1/).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const source = join(import.meta.dirname, 'web/base/ui/theme/mixins.css')
const mixins = new Map(
  [...readFileSync(source, 'utf8').matchAll(/@mixin (--[\w-]+) \{\s*([^}]*?)\s*\}/g)].map(
    ([, name, declarations]) => [name, declarations],
  ),
)

export function expandMixins(): Plugin {
  return {
    name: 'expand-mixins',
    enforce: 'pre',
    transform: {
      filter: { id: { include: /\.css(?:\?|$)/, exclude: /[?&]raw\b/ } },
      handler: (code) => ({ code: resolveMixins(code), map: null }),
    },
  }
}

/**
 * Replaces `@apply` with the declarations of the mixin. Throws on an unknown name, which the browser would silently
 * ignore.
 */
export function resolveMixins(css: string): string {
  return css.replaceAll(/@apply (--[\w-]+);/g, (_, name: string) => {
    const declarations = mixins.get(name)
    if (!declarations) throw new Error(`Unknown mixin ${name}`)
    return declarations
  })
}
