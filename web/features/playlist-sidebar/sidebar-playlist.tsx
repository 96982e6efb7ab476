// One playlist in the sidebar: a link, and a drop target for tracks.
import { useState, type DragEvent } from 'react'
import { sharedErrorTexts } from '#contract/shown-texts.ts'
import type { Playlist } from '#contract/playlists.ts'
import { IconSparkles, IconUsers } from '#web/base/ui/icons/icons.ts'
import { ScreenNavLink } from '../../base/navigation/screen-link.tsx'
import { formatCount } from '../../base/format/format-duration.ts'
import { Equalizer } from '../../base/ui/display/equalizer.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import { droppedTracks, holdsTracks } from '../catalogue/selection/dragged-tracks.ts'
import { usePlaylistActions } from '../catalogue/playlist-actions.tsx'
import { PlaylistCover } from '../catalogue/playlist-cover.tsx'
import { mayChangeTracks, formatSharing } from '../catalogue/queries/playlist-role.ts'
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
  const isPlaying = usePlayer(({ playing, spot }) => playing && spot === null) && isCurrent
  const { target, drop } = useDrop(playlist)
  return (
    <li className={styles.item} data-target={target} {...drop}>
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
          <span className={styles.about}>
            <Kind playlist={playlist} />
            {formatCount(track_count, 'track', 'tracks')}
          </span>
        </span>
        {isCurrent && (
          <span className={styles.mark}>
            <Equalizer playing={isPlaying} />
            <VisuallyHidden>{isPlaying ? ', playing' : ', current playlist'}</VisuallyHidden>
          </span>
        )}
      </ScreenNavLink>
    </li>
  )
}

/** Shows 'Smart', or the member who shares the playlist. */
function Kind({ playlist }: { playlist: Playlist }) {
  const shared = formatSharing(playlist)
  if (!playlist.is_smart && !shared) return null
  const Mark = playlist.is_smart ? IconSparkles : IconUsers
  return (
    <>
      <Mark aria-hidden="true" />
      {shared ?? 'Smart'}
      {' · '}
    </>
  )
}

function useDrop(playlist: Playlist) {
  const { addTrack, addTracks } = usePlaylistActions()
  const [isOver, setIsOver] = useState(false)
  const refusal = findDropRefusal(playlist)
  const drop = {
    onDragOver(event: DragEvent) {
      if (!holdsTracks(event)) return
      // Also accept drops that will be refused: if they were not accepted, no drop event would show the reason.
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setIsOver(true)
    },
    onDragLeave: () => setIsOver(false),
    onDrop(event: DragEvent) {
      setIsOver(false)
      const tracks = droppedTracks(event)
      const [first, ...others] = tracks
      if (!first) return
      event.preventDefault()
      if (refusal)
        showToast({ tone: 'destructive', title: 'No tracks were added', message: refusal })
      else void (others.length > 0 ? addTracks(playlist, tracks) : addTrack(playlist, first))
    },
  }
  const target: 'takes' | 'refuses' = refusal ? 'refuses' : 'takes'
  return { target: isOver ? target : undefined, drop }
}

/** Returns why tracks can't be added to the playlist. The server applies the same rules. */
function findDropRefusal(playlist: Playlist): string | null {
  if (mayChangeTracks(playlist)) return null
  return playlist.is_own ? sharedErrorTexts.playlist_is_smart : sharedErrorTexts.playlist_read_only
}
