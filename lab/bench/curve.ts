// Draws a small chart with logarithmic axes, for how results grow with the number of rows.
export interface Curve {
  x: string
  y: string
  lines: { name: string; points: [number, number][] }[]
}

const width = 640
const height = 300
const edge = { left: 64, right: 150, top: 20, bottom: 44 }
const colors = ['#c2410c', '#2563eb', '#15803d', '#9333ea', '#b45309', '#0e7490']
const ink = '#6b7280'

/** Returns an SVG that can be read on light and on dark backgrounds. */
export function drawCurve({ x, y, lines }: Curve): string {
  const points = lines.flatMap((line) => line.points)
  const across = axis(
    points.map(([value]) => value),
    edge.left,
    width - edge.right,
  )
  const up = axis(
    points.map(([, value]) => value),
    height - edge.bottom,
    edge.top,
  )
  const ticks = [
    ...across.ticks.map((value) => {
      const at = across.at(value)
      return `<line x1="${at}" x2="${at}" y1="${edge.top}" y2="${height - edge.bottom}" stroke="${ink}" stroke-opacity=".25"/>${label(at, height - edge.bottom + 16, 'middle', number(value))}`
    }),
    ...up.ticks.map((value) => {
      const at = up.at(value)
      return `<line x1="${edge.left}" x2="${width - edge.right}" y1="${at}" y2="${at}" stroke="${ink}" stroke-opacity=".25"/>${label(edge.left - 8, at + 4, 'end', number(value))}`
    }),
  ]
  const ends = spread(lines.map((line) => up.at(line.points.at(-1)?.[1] ?? 1)))
  const drawn = lines.map((line, i) => {
    const color = colors[i % colors.length]
    const path = line.points.map(([a, b]) => `${across.at(a)},${up.at(b)}`).join(' ')
    const dots = line.points.map(
      ([a, b]) => `<circle cx="${across.at(a)}" cy="${up.at(b)}" r="3" fill="${color}"/>`,
    )
    return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join('')}${label(width - edge.right + 10, ends[i]! + 4, 'start', line.name, color)}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12" role="img">
<title>${escape(`${y} by ${x}`)}</title>
${[...ticks, ...drawn].join('\n')}
${label((edge.left + width - edge.right) / 2, height - 8, 'middle', x)}
${label(8, 12, 'start', y)}
</svg>
`
}

/** Returns a logarithmic axis over whole powers of ten. Values of zero and below are drawn at its lower end. */
function axis(values: readonly number[], from: number, to: number) {
  const positive = values.filter((value) => value > 0)
  const low = Math.floor(Math.log10(Math.min(...positive)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...positive))))
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i))
  const at = (value: number) => {
    const share = (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low)
    return Math.round((from + share * (to - from)) * 10) / 10
  }
  return { ticks, at }
}

/** Moves the labels at the ends of the lines apart, so that they don't overlap. */
function spread(ends: readonly number[]): number[] {
  const placed: number[] = []
  const order = ends.map((_, i) => i).toSorted((a, b) => ends[a]! - ends[b]!)
  let above = -Infinity
  for (const i of order) placed[i] = above = Math.max(ends[i]!, above + 15)
  return placed
}

function label(x: number, y: number, anchor: string, text: string, color = ink): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${color}">${escape(text)}</text>`
}

const number = (value: number) =>
  value >= 1 ? value.toLocaleString('en') : String(Number(value.toPrecision(1)))

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
