// The head of a playlist: large cover, title, facts and buttons, on a background with the cover's tint.
import { IconLock, IconWorld } from '#web/base/ui/icons/icons.ts'
import type { CSSProperties, ReactNode } from 'react'
import type { Playlist } from '#contract/playlists.ts'
import { ShareButton } from '../catalogue/share-button.tsx'
import { PlaylistCover } from '../catalogue/playlist-cover.tsx'
import { formatCount, formatTotal } from '../../base/format/format-duration.ts'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { breakpoints } from '../../base/ui/theme/breakpoints.ts'
import styles from './playlist-head.module.css'

export interface PlaylistHeadProps {
  playlist: Playlist
  /** 'Public', 'Curated': shown before the title. */
  kind: ReactNode
  /** Beside the count and duration: 'x/10 tracks used'. */
  facts?: ReactNode
  /** Play, shuffle and other buttons. */
  children?: ReactNode
}

export function PlaylistHead({ playlist, kind, facts, children }: PlaylistHeadProps) {
  const { title, description, track_count, duration, cover_tint } = playlist
  const isShared = playlist.is_public || playlist.is_curated
  return (
    <header
      className={styles.head}
      style={cover_tint ? ({ '--cover-tint': cover_tint } as CSSProperties) : undefined}
    >
      <div className={styles.cover}>
        <PlaylistCover
          playlist={playlist}
          sizes={`${breakpoints['--below-tablet']} 60vw, 240px`}
          radius="large"
          eager
        />
      </div>
      <div className={styles.words}>
        <p className={styles.kind}>{kind}</p>
        <h1 className={styles.title}>{title}</h1>
        {description && <p className={styles.description}>{description}</p>}
        <p className={styles.facts}>
          <span>{formatCount(track_count, 'track', 'tracks')}</span>
          {track_count > 0 && <span>{formatTotal(duration)}</span>}
          {facts}
        </p>
        {children && (
          <div className={styles.buttons}>
            {children}
            {isShared && (
              <ShareButton
                title={title}
                path={playlist.share_url ?? `/my-playlists/${playlist.id}`}
              />
            )}
          </div>
        )}
      </div>
    </header>
  )
}

/** Public or private, as text and icon. */
export function VisibilityLabel({ isPublic }: { isPublic: boolean }) {
  const Icon = isPublic ? IconWorld : IconLock
  return (
    <span className={styles.visibility}>
      <Icon aria-hidden="true" />
      {isPublic ? 'Public' : 'Private'}
    </span>
  )
}

export function PlaylistHeadSkeleton() {
  return (
    <div className={styles.head} aria-hidden="true">
      <div className={styles.cover}>
        <Skeleton shape="cover" />
      </div>
      <div className={styles.words}>
        <Skeleton width="5rem" shape="text" />
        <Skeleton width="min(20rem, 80%)" height="3rem" />
        <Skeleton width="9rem" shape="text" />
        <div className={styles.buttons}>
          <Skeleton width="8rem" height="2.75rem" />
          <Skeleton width="8rem" height="2.75rem" />
        </div>
      </div>
    </div>
  )
}
