// Categories as coloured tiles with their pictures.
import type { CSSProperties } from 'react'
import type { Category } from '#contract/categories.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { Shelf } from '../../base/ui/lists/shelf.tsx'
import styles from './mood-shelf.module.css'

export function MoodShelf({ categories }: { categories: readonly Category[] }) {
  return (
    <Shelf title="Moods" size="mood">
      {categories.map(({ id, category, display_name, ...picture }, place) => (
        <li key={id}>
          <ScreenLink
            to={`/browse?category=${encodeURIComponent(category)}`}
            className={styles.mood ?? ''}
            style={{ '--mood-hue': hueOf(place) } as CSSProperties}
          >
            <span className={styles.name}>{display_name}</span>
            <span className={styles.picture} aria-hidden="true">
              <Cover
                url={picture.cover_url}
                tint={picture.cover_tint}
                placeholder={picture.cover_placeholder}
                title={display_name}
                sizes="80px"
              />
            </span>
          </ScreenLink>
        </li>
      ))}
    </Shelf>
  )
}

/** Neighbours differ, and no two of the first dozen are alike. */
const hueOf = (place: number) => Math.round((350 + place * 137.5) % 360)
