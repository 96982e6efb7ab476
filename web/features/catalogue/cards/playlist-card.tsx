// A playlist in a grid or a list: cover, title, size. The entire card is a link or a button.
import { IconLock, IconSparkles, IconUsers, IconWorld } from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import type { Playlist } from '#contract/playlists.ts'
import { ScreenLink } from '../../../base/navigation/screen-link.tsx'
import { formatCount, formatTotal } from '../../../base/format/format-duration.ts'
import { Skeleton } from '../../../base/ui/display/skeleton.tsx'
import { breakpoints } from '../../../base/ui/theme/breakpoints.ts'
import styles from './playlist-card.module.css'
import { PlaylistCover } from '../playlist-cover.tsx'
import { formatSharing } from '../queries/playlist-role.ts'
import { PremiumMark } from '../premium-mark.tsx'

export type PlaylistLayout = 'grid' | 'list'

export interface PlaylistCardProps {
  playlist: Playlist
  layout?: PlaylistLayout
  /** URL of the playlist's page. If absent, the card is a button that calls `onOpen`. */
  to?: string
  onOpen?: () => void
  /** True if the playlist can't be opened now. The card is then faded. */
  disabled?: boolean
  /** An icon beside the title. */
  mark?: ReactNode
}

export function PlaylistCard(props: PlaylistCardProps) {
  const { playlist, layout = 'grid', to, onOpen, disabled, mark } = props
  const content = <CardContent {...{ playlist, layout, mark }} />
  const className = `${styles.card} ${styles[layout]}`
  return to ? (
    <ScreenLink to={to} className={className}>
      {content}
    </ScreenLink>
  ) : (
    <button type="button" className={className} onClick={onOpen} disabled={disabled}>
      {content}
    </button>
  )
}

function CardContent({
  playlist,
  layout,
  mark,
}: Pick<PlaylistCardProps, 'playlist' | 'mark'> & { layout: PlaylistLayout }) {
  const { title, description, track_count, duration, is_public, is_curated, is_smart } = playlist
  const shared = formatSharing(playlist)
  const Visibility = is_smart ? IconSparkles : shared ? IconUsers : is_public ? IconWorld : IconLock
  return (
    <>
      <span className={styles.cover}>
        <PlaylistCover
          playlist={playlist}
          sizes={layout === 'grid' ? `${breakpoints['--below-tablet']} 45vw, 220px` : '56px'}
          radius={layout === 'grid' ? 'large' : 'small'}
        />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        {layout === 'list' && description && (
          <span className={styles.description}>{description}</span>
        )}
        <span className={styles.facts}>
          {mark}
          <PremiumMark of={playlist} />
          {!is_curated && (
            <span className={styles.visibility}>
              <Visibility aria-hidden="true" />
              {shared ?? (is_smart ? 'Smart' : is_public ? 'Public' : 'Private')}
            </span>
          )}
          <span>{formatCount(track_count, 'track', 'tracks')}</span>
          {layout === 'list' && track_count > 0 && <span>{formatTotal(duration)}</span>}
        </span>
      </span>
    </>
  )
}

export function PlaylistCards({
  layout = 'grid',
  label,
  children,
}: {
  layout?: PlaylistLayout
  label: string
  /** Cards, each in an `li`. */
  children: ReactNode
}) {
  return (
    <ul className={layout === 'grid' ? styles.cards : styles.rows} aria-label={label}>
      {children}
    </ul>
  )
}

export function PlaylistCardsSkeleton({ layout = 'grid' }: { layout?: PlaylistLayout }) {
  return (
    <div className={layout === 'grid' ? styles.cards : styles.rows} aria-hidden="true">
      {Array.from({ length: layout === 'grid' ? 5 : 6 }, (_, index) => (
        <div key={index} className={`${styles.card} ${styles[layout]}`}>
          <span className={styles.cover}>
            <Skeleton shape="cover" />
          </span>
          <span className={styles.words}>
            <Skeleton width="70%" shape="text" />
            <Skeleton width="45%" shape="text" />
          </span>
        </div>
      ))}
    </div>
  )
}
