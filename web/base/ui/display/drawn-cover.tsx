// A cover drawn from the title, for tracks without a cover. The same title always gives the same picture.
import { useId, useMemo } from 'react'
import { seededRandom } from '../layout/seeded-random.ts'

const motifs = ['folds', 'dusk', 'rings', 'hills'] as const

interface Drawing {
  hue: number
  /** The second hue is 30 to 75 degrees from the first. */
  hueBeyond: number
  motif: (typeof motifs)[number]
}

export function DrawnCover({ title }: { title: string }) {
  const gradientId = useId()
  const picture = useMemo(() => drawing(title), [title])
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <defs>
        <linearGradient id={gradientId} x1="0" y1="0" x2="1" y2="1">
          <stop stopColor={tone(picture.hueBeyond, 0.62, 0.12)} />
          <stop offset="1" stopColor={tone(picture.hue, 0.28, 0.08)} />
        </linearGradient>
      </defs>
      <rect width="100" height="100" fill={`url(#${gradientId})`} />
      {useMemo(() => shapes(picture), [picture])}
    </svg>
  )
}

function drawing(title: string): Drawing {
  const random = seededRandom(title)
  // Only evening colors: violet through rose to amber, sometimes a deep teal.
  const hue = random() < 0.2 ? 190 + random() * 40 : (300 + random() * 115) % 360
  const turn = (30 + random() * 45) * (random() < 0.5 ? -1 : 1)
  const motif = motifs[Math.floor(random() * motifs.length)] ?? 'folds'
  return { hue, hueBeyond: (hue + turn + 360) % 360, motif }
}

function shapes(picture: Drawing) {
  if (picture.motif === 'folds') return folds(picture)
  if (picture.motif === 'dusk') return dusk(picture)
  if (picture.motif === 'rings') return rings(picture)
  return hills(picture)
}

/** Draws a curtain with light on its folds. */
function folds({ hue, hueBeyond }: Drawing) {
  const random = seededRandom(String(hue))
  const lean = (random() - 0.5) * 26
  return Array.from({ length: 7 }, (_, index) => {
    const x = -8 + index * 16 + (random() - 0.5) * 6
    const width = 5 + random() * 7
    const curve = `C${x + lean} 35 ${x - lean} 65 ${x + lean / 2} 106`
    const back = `L${x + width + lean / 2} 106 C${x + width - lean} 65 ${x + width + lean} 35 ${x + width} -6Z`
    return (
      <path
        key={index}
        d={`M${x} -6${curve}${back}`}
        fill={tone(index % 2 ? hueBeyond : hue, index % 2 ? 0.78 : 0.2, 0.1)}
        fillOpacity={index % 2 ? 0.3 : 0.42}
      />
    )
  })
}

/** Draws a sun above calm water. */
function dusk({ hue, hueBeyond }: Drawing) {
  const random = seededRandom(String(hue))
  const horizon = 58 + random() * 12
  const x = 30 + random() * 40
  const radius = 15 + random() * 9
  return (
    <>
      <circle
        cx={x}
        cy={horizon - radius * 0.35}
        r={radius * 1.7}
        fill={tone(hueBeyond, 0.8, 0.12)}
        fillOpacity="0.22"
      />
      <circle cx={x} cy={horizon - radius * 0.35} r={radius} fill={tone(hueBeyond, 0.86, 0.11)} />
      <rect y={horizon} width="100" height={100 - horizon} fill={tone(hue, 0.24, 0.08)} />
      {[0, 1, 2, 3].map((index) => (
        <rect
          key={index}
          x={x - radius + index * 3.2}
          y={horizon + 4 + index * 6}
          width={(radius - index * 3.2) * 2}
          height="1.8"
          rx="0.9"
          fill={tone(hueBeyond, 0.82, 0.11)}
          fillOpacity={0.65 - index * 0.14}
        />
      ))}
    </>
  )
}

/** Draws spreading sound waves. */
function rings({ hue, hueBeyond }: Drawing) {
  const random = seededRandom(String(hue))
  const x = random() < 0.5 ? 8 + random() * 24 : 68 + random() * 24
  const y = 62 + random() * 28
  return [88, 72, 57, 43, 30, 18, 8].map((radius, index) => (
    <circle
      key={radius}
      cx={x}
      cy={y}
      r={radius}
      fill={tone(index % 2 ? hueBeyond : hue, 0.24 + index * 0.095, 0.09 + index * 0.006)}
      fillOpacity="0.72"
    />
  ))
}

/** Draws hills in haze, one behind another. */
function hills({ hue, hueBeyond }: Drawing) {
  const random = seededRandom(String(hue))
  return (
    <>
      <circle
        cx={25 + random() * 50}
        cy={20 + random() * 12}
        r={7 + random() * 4}
        fill={tone(hueBeyond, 0.9, 0.08)}
      />
      {[0, 1, 2, 3].map((index) => {
        const y = 44 + index * 14
        const rise = 6 + random() * 12
        const shift = random() * 30
        return (
          <path
            key={index}
            d={`M-5 ${y} C${10 + shift} ${y - rise} ${20 + shift} ${y + rise * 0.6} 50 ${y} S${80 + shift} ${y - rise} 105 ${y - 3}V105H-5Z`}
            fill={tone(hue, 0.56 - index * 0.11, 0.1 - index * 0.012)}
          />
        )
      })}
    </>
  )
}

function tone(hue: number, lightness: number, chroma: number): string {
  return `oklch(${lightness.toFixed(3)} ${chroma.toFixed(3)} ${hue.toFixed(1)})`
}
