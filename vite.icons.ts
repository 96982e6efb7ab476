// Generates a React component for each icon listed in web/base/ui/icons/icons.ts, from the drawings of the icon set.
import { readFileSync } from 'node:fs'
import icons from 'unplugin-icons/vite'
import type { Plugin } from 'vite'

/** Icons are 24 pixels wide and high unless `size` is set. Style sheets may set `stroke-width`. */
export function buildIcons(): Plugin[] {
  const components = icons({ compiler: { compiler: toComponent, extension: 'jsx' } })
  return [importIconsDirectly(), ...[components].flat()]
}

/**
 * Imports icons directly instead of through their list. Otherwise every module that shows an icon, and so the app,
 * would import all of them.
 */
function importIconsDirectly(): Plugin {
  const list = readFileSync(new URL('web/base/ui/icons/icons.ts', import.meta.url), 'utf8')
  const sources = new Map(
    [...list.matchAll(/default as (\w+) \} from '([^']+)'/g)].map(([, name, source]) => [
      name,
      source,
    ]),
  )
  return {
    name: 'import-icons-directly',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/web\/.*\.tsx?$/ },
      handler: (code) =>
        code.replace(/import \{([^}]*)\} from '[^']*\/icons\/icons\.ts'/g, (_, names: string) =>
          names
            .split(',')
            .map((name) => name.trim())
            .filter(Boolean)
            .map((name) => `import ${name} from '${sources.get(name)}'`)
            .join('; '),
        ),
    },
  }
}

const outline = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
}

function toComponent(svg: string): string {
  const drawing = svg.replace(/^<svg[^>]*>/, '').replace(/<\/svg>$/, '')
  const isOutline = drawing.includes('stroke="currentColor"')
  const look = isOutline ? outline : { fill: 'currentColor' }
  // Set these attributes on the icon itself instead of its parts, so that style sheets can override them.
  const parts = drawing
    .replaceAll(isOutline ? / (?:fill="none"|stroke[a-z-]*="[^"]*")/g : / fill="currentColor"/g, '')
    .replaceAll(/ ([a-z]+)-([a-z])([a-z]*)=/g, (_, first, letter, rest) => {
      return ` ${first}${String(letter).toUpperCase()}${rest}=`
    })
  return `const look = ${JSON.stringify(look)}
export default function Icon({ size = 24, ...rest }) {
  return <svg xmlns="http://www.w3.org/2000/svg" width={size} height={size} viewBox="0 0 24 24" {...look} {...rest}>${parts}</svg>
}
`
}
