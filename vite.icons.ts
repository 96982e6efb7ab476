// Makes a React component of each icon that web/base/ui/icons/icons.ts lists, from the drawings of the icon set.
import icons from 'unplugin-icons/vite'

/** Icons have the size of 24 pixels unless `size` says otherwise. Style sheets may set `stroke-width`. */
export function buildIcons(): ReturnType<typeof icons> {
  return icons({ compiler: { compiler: toComponent, extension: 'jsx' } })
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
  // On the icon itself instead of its parts, so that style sheets reach them.
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
