// Replaces breakpoint names in style sheets with their media features.
import type { Plugin } from 'vite'
import { breakpoints } from './web/base/ui/theme/breakpoints.ts'

export function nameBreakpoints(): Plugin {
  return {
    name: 'name-breakpoints',
    enforce: 'pre',
    transform: {
      filter: { id: { include: /\.css(?:\?|$)/, exclude: /[?&]raw\b/ } },
      handler: (code) => ({ code: resolveBreakpoints(code), map: null }),
    },
  }
}

/** Throws on an unknown name: the browser would silently ignore the whole rule. */
export function resolveBreakpoints(css: string): string {
  return css.replaceAll(/@media[^{]*/g, (query) =>
    query.replaceAll(/\((--[\w-]+)\)/g, (_, name: string) => {
      const feature = Object.entries(breakpoints).find(([known]) => known === name)?.[1]
      if (!feature) throw new Error(`Unknown breakpoint ${name}`)
      return feature
    }),
  )
}
