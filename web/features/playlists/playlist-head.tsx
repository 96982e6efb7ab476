// The head of a playlist.
import { IconLock, IconSparkles, IconWorld } from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import type { Playlist } from '#contract/playlists.ts'
import { CollectionHead, headCoverSizes } from '../catalogue/cards/collection-head.tsx'
import { ShareButton } from '../catalogue/sharing/share-button.tsx'
import { PlaylistCover } from '../catalogue/playlist-cover.tsx'
import { formatCount, formatTotal } from '../../base/format/format-duration.ts'
import styles from './playlist-head.module.css'

export interface PlaylistHeadProps {
  playlist: Playlist
  /** 'Public', 'Curated': shown before the title. */
  kind: ReactNode
  /** Text beside the count and duration: 'x/10 tracks used'. */
  facts?: ReactNode
  /** Play, shuffle and other buttons. */
  children?: ReactNode
}

export function PlaylistHead({ playlist, kind, facts, children }: PlaylistHeadProps) {
  const { title, description, track_count, duration, cover_tint } = playlist
  const isShared = playlist.is_public || playlist.is_curated
  return (
    <CollectionHead
      title={title}
      kind={kind}
      tint={cover_tint}
      cover={<PlaylistCover playlist={playlist} sizes={headCoverSizes} radius="large" eager />}
      description={description}
      facts={
        <>
          <span>{formatCount(track_count, 'track', 'tracks')}</span>
          {track_count > 0 && <span>{formatTotal(duration)}</span>}
          {facts}
        </>
      }
      restricted={playlist}
    >
      {children && (
        <>
          {children}
          {isShared && (
            <ShareButton
              title={title}
              path={playlist.share_url ?? `/my-playlists/${playlist.id}`}
            />
          )}
        </>
      )}
    </CollectionHead>
  )
}

/** Shows whether the playlist is public or private, as text and icon, and whether it is a smart playlist. */
export function VisibilityLabel({
  is_public,
  is_smart,
}: Pick<Playlist, 'is_public'> & Partial<Pick<Playlist, 'is_smart'>>) {
  const Icon = is_smart ? IconSparkles : is_public ? IconWorld : IconLock
  return (
    <span className={styles.visibility}>
      <Icon aria-hidden="true" />
      {is_smart && 'Smart · '}
      {is_public ? 'Public' : 'Private'}
    </span>
  )
}
