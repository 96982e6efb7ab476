// An artist in a grid: round picture, name, number of tracks.
import type { ReactNode } from 'react'
import type { Artist } from '#contract/artists.ts'
import { formatCount } from '../../../base/format/format-duration.ts'
import { ScreenLink } from '../../../base/navigation/screen-link.tsx'
import { Cover } from '../../../base/ui/display/cover.tsx'
import { breakpoints } from '../../../base/ui/theme/breakpoints.ts'
import { Skeleton } from '../../../base/ui/display/skeleton.tsx'
import styles from './artist-card.module.css'
import { artistPath } from '../artist-links.tsx'
import textStyles from '../../../base/ui/layout/text.module.css'

export function ArtistCard({ artist }: { artist: Artist }) {
  const { name, slug, track_count, cover_url, cover_tint, cover_placeholder } = artist
  return (
    <ScreenLink to={artistPath(slug)} className={styles.card ?? ''}>
      <span className={styles.picture}>
        <Cover
          url={cover_url}
          tint={cover_tint}
          placeholder={cover_placeholder}
          title={name}
          sizes={`${breakpoints['--below-tablet']} 40vw, 180px`}
          radius="none"
        />
      </span>
      <span className={styles.name}>{name}</span>
      <span className={textStyles.faintDigits}>{formatCount(track_count, 'track', 'tracks')}</span>
    </ScreenLink>
  )
}

export function ArtistCards({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles.cards} aria-label={label}>
      {children}
    </ul>
  )
}

export function ArtistCardsSkeleton({ count = 12 }: { count?: number }) {
  return (
    <div className={styles.cards} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={styles.card}>
          <span className={styles.picture}>
            <Skeleton shape="cover" />
          </span>
          <Skeleton width="70%" shape="text" />
          <Skeleton width="40%" shape="text" />
        </div>
      ))}
    </div>
  )
}
