// Five moods, each with its own drawing. They all link to Browse.
import type { CSSProperties, ReactNode } from 'react'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { useSite } from '../../base/session/site.ts'
import styles from './category-tiles.module.css'

interface Mood {
  name: string
  /** Degrees on the OKLCH hue circle. */
  hue: number
  drawing: ReactNode
}

const moods: Mood[] = [
  {
    name: 'Focus',
    hue: 285,
    drawing: [92, 72, 54, 38, 24, 12].map((radius) => (
      <circle key={radius} cx="100" cy="58" r={radius} />
    )),
  },
  {
    name: 'Romantic Chill',
    hue: 8,
    drawing: (
      <>
        <circle cx="78" cy="62" r="38" />
        <circle cx="122" cy="62" r="38" />
        <circle cx="78" cy="62" r="26" />
        <circle cx="122" cy="62" r="26" />
        <circle cx="78" cy="62" r="14" />
        <circle cx="122" cy="62" r="14" />
      </>
    ),
  },
  {
    name: 'Workout',
    hue: 38,
    drawing: [24, 52, 38, 78, 60, 96, 70, 46, 84, 34].map((height, bar) => (
      <path key={bar} strokeWidth="9" d={`M${24 + bar * 17} 118v${-height}`} />
    )),
  },
  {
    name: 'Study',
    hue: 165,
    drawing: [0, 1, 2, 3, 4, 5].map((line) => (
      <path
        key={line}
        d={`M20 ${30 + line * 15}q20 -12 40 0t40 0 40 0 40 0`}
        opacity={1 - line * 0.12}
      />
    )),
  },
  {
    name: 'Gospel',
    hue: 78,
    drawing: (
      <>
        {[-75, -60, -45, -30, -15, 0, 15, 30, 45, 60, 75].map((angle) => (
          <path key={angle} d="M100 82V22" transform={`rotate(${angle} 100 118)`} />
        ))}
        <path d="M66 118a34 34 0 0 1 68 0" />
        <path d="M80 118a20 20 0 0 1 40 0" />
      </>
    ),
  },
]

export function CategoryTiles() {
  const { moods_heading } = useSite()
  return (
    <section className={styles.section} aria-labelledby="moods">
      <h2 id="moods" className={styles.heading}>
        {moods_heading}
      </h2>
      <ul className={styles.tiles}>
        {moods.map(({ name, hue, drawing }) => (
          <li key={name} className={styles.place} style={{ '--hue': hue } as CSSProperties}>
            <ScreenLink to="/browse" className={styles.tile}>
              <svg className={styles.drawing} viewBox="0 0 200 120" aria-hidden="true">
                {drawing}
              </svg>
              <span className={styles.name}>{name}</span>
            </ScreenLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
