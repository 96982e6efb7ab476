// One playlist in the sidebar: a link to it, and a place to drop tracks.
import { useState, type DragEvent } from 'react'
import type { Playlist } from '#contract/playlists.ts'
import { ScreenNavLink } from '../../base/navigation/screen-link.tsx'
import { formatCount } from '../../base/format/format-duration.ts'
import { Equaliser } from '../../base/ui/display/equaliser.tsx'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import { droppedTracks, holdsTracks } from '../catalogue/selection/dragged-tracks.ts'
import { usePlaylistActions } from '../catalogue/playlist-actions.tsx'
import { PlaylistCover } from '../catalogue/playlist-cover.tsx'
import { usePlayer } from '../player/playback/player-store.ts'
import styles from './playlist-sidebar.module.css'

export interface SidebarPlaylistProps {
  playlist: Playlist
  inTabOrder: boolean
  onFocus: () => void
}

export function SidebarPlaylist({ playlist, inTabOrder, onFocus }: SidebarPlaylistProps) {
  const { id, title, track_count } = playlist
  const isCurrent = usePlayer(({ context }) => context?.kind === 'playlist' && context.id === id)
  const isPlaying = usePlayer(({ playing }) => playing) && isCurrent
  const { isTarget, drop } = useDrop(playlist)
  return (
    <li className={styles.item} data-target={isTarget || undefined} {...drop}>
      <ScreenNavLink
        to={`/my-playlists/${id}`}
        className={styles.link ?? ''}
        data-current={isCurrent || undefined}
        data-tooltip={title}
        draggable={false}
        tabIndex={inTabOrder ? 0 : -1}
        onFocusCapture={onFocus}
      >
        <span className={styles.cover}>
          <PlaylistCover playlist={playlist} sizes="44px" />
        </span>
        <span className={styles.words}>
          <span className={styles.title}>{title}</span>
          <span className={styles.about}>{formatCount(track_count, 'track', 'tracks')}</span>
        </span>
        {isCurrent && (
          <span className={styles.mark}>
            <Equaliser playing={isPlaying} />
            <VisuallyHidden>{isPlaying ? ', playing' : ', in the player'}</VisuallyHidden>
          </span>
        )}
      </ScreenNavLink>
    </li>
  )
}

function useDrop(playlist: Playlist) {
  const { addTrack, addTracks } = usePlaylistActions()
  const [isTarget, setIsTarget] = useState(false)
  const drop = {
    onDragOver(event: DragEvent) {
      if (!holdsTracks(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setIsTarget(true)
    },
    onDragLeave: () => setIsTarget(false),
    onDrop(event: DragEvent) {
      setIsTarget(false)
      const tracks = droppedTracks(event)
      const [first, ...others] = tracks
      if (!first) return
      event.preventDefault()
      void (others.length > 0 ? addTracks(playlist, tracks) : addTrack(playlist, first))
    },
  }
  return { isTarget, drop }
}
