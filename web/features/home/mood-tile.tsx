// A category as a colored tile with its picture.
import type { CSSProperties } from 'react'
import type { Category } from '#contract/categories.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import styles from './mood-tile.module.css'

export function MoodTile({ mood, place }: { mood: Category; place: number }) {
  const { category, display_name, cover_url, cover_tint, cover_placeholder } = mood
  return (
    <ScreenLink
      to={`/browse?category=${encodeURIComponent(category)}`}
      className={styles.mood ?? ''}
      style={{ '--mood-hue': hueOf(place) } as CSSProperties}
    >
      <span className={styles.name}>{display_name}</span>
      <span className={styles.picture} aria-hidden="true">
        <Cover
          url={cover_url}
          tint={cover_tint}
          placeholder={cover_placeholder}
          title={display_name}
          sizes="64px"
        />
      </span>
    </ScreenLink>
  )
}

/** Hues in steps of the golden angle: adjacent tiles differ, and the first dozen hues are distinct. */
const hueOf = (place: number) => Math.round((350 + place * 137.5) % 360)
