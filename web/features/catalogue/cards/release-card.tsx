// A release in a grid: cover, title, artist, kind and year. The entire card is a link.
import { releaseKindLabels } from '#contract/fields/release-fields.ts'
import type { Release } from '#contract/releases.ts'
import { ScreenLink } from '../../../base/navigation/screen-link.tsx'
import { Cover } from '../../../base/ui/display/cover.tsx'
import { breakpoints } from '../../../base/ui/theme/breakpoints.ts'
import { PremiumMark } from '../premium-mark.tsx'
import styles from './playlist-card.module.css'

export interface ReleaseCardProps {
  release: Pick<
    Release,
    | 'kind'
    | 'title'
    | 'slug'
    | 'artist'
    | 'release_date'
    | 'cover_url'
    | 'cover_tint'
    | 'cover_placeholder'
    | 'premium_only'
    | 'early_access_until'
  >
  /** Omits the artist, for the artist's own page. */
  withoutArtist?: boolean
}

export function ReleaseCard({ release, withoutArtist = false }: ReleaseCardProps) {
  const { kind, title, slug, artist, release_date } = release
  const year = releaseYear(release_date)
  return (
    <ScreenLink to={`/releases/${slug}`} className={`${styles.card} ${styles.grid}`}>
      <span className={styles.cover}>
        <Cover
          url={release.cover_url}
          tint={release.cover_tint}
          placeholder={release.cover_placeholder}
          title={title}
          sizes={`${breakpoints['--below-tablet']} 45vw, 220px`}
          radius="large"
        />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        <span className={styles.description}>
          {withoutArtist
            ? [year, releaseKindLabels[kind]].filter(Boolean).join(' · ')
            : [artist, kind === 'album' ? null : releaseKindLabels[kind]]
                .filter(Boolean)
                .join(' · ')}
        </span>
        <PremiumMark of={release} />
      </span>
    </ScreenLink>
  )
}

/** Returns the year of a date, such as `2026` for `2026-11-21`. */
export function releaseYear(date: string | null): string | null {
  return date?.slice(0, 4) ?? null
}
