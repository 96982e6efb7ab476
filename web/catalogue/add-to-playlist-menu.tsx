// Where a track can go: into one of the member's playlists, a new one, or the queue. Two triggers, of
// which the row shows one: a plus where there is room for more buttons, three dots where there is not.
import {
  IconDots,
  IconMusicPlus,
  IconPlaylist,
  IconPlaylistAdd,
  IconPlus,
  IconShare3,
  IconPlayerTrackNext,
} from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Track } from '#contract/tracks.ts'
import { enqueue, enqueueNext } from '../player/player-actions.ts'
import { shareTrack } from './share-track.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx'
import { showToast } from '../ui/toast-store.ts'
import { usePlaylistActions } from './playlist-actions.tsx'
import { playlistListOptions } from './playlist-queries.ts'

export interface AddToPlaylistMenuProps {
  track: Track
  inTabOrder: boolean
  /** `more` holds sharing as well. */
  variant: 'add' | 'more'
}

export function AddToPlaylistMenu({ track, inTabOrder, variant }: AddToPlaylistMenuProps) {
  const tabIndex = inTabOrder ? 0 : -1
  return (
    <Menu
      label={variant === 'add' ? 'Add to playlist' : track.title}
      trigger={
        variant === 'add' ? (
          <IconButton label="Add to playlist" data-control="add" tabIndex={tabIndex}>
            <IconPlaylistAdd />
          </IconButton>
        ) : (
          <IconButton label={`More for ${track.title}`} data-control="more" tabIndex={tabIndex}>
            <IconDots />
          </IconButton>
        )
      }
    >
      {variant === 'more' && (
        <>
          <QueueItems track={track} />
          <MenuItem icon={<IconShare3 />} onSelect={() => void shareTrack(track)}>
            Share
          </MenuItem>
          <MenuSeparator />
        </>
      )}
      <PlaylistItems track={track} />
      {variant === 'add' && (
        <>
          <MenuSeparator />
          <QueueItems track={track} />
        </>
      )}
    </Menu>
  )
}

function PlaylistItems({ track }: { track: Track }) {
  const { addTrack, newPlaylist } = usePlaylistActions()
  const { data, isPending, isError } = useInfiniteQuery(playlistListOptions('own'))
  const playlists = data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      <MenuLabel>Add to playlist</MenuLabel>
      <MenuItem icon={<IconPlus />} onSelect={() => newPlaylist(track)}>
        New playlist
      </MenuItem>
      {isPending && <MenuLabel>Loading your playlists…</MenuLabel>}
      {isError && <MenuLabel>Your playlists could not be loaded.</MenuLabel>}
      {playlists.map((playlist) => (
        <MenuItem
          key={playlist.id}
          icon={<IconPlaylist />}
          aside={playlist.track_count.toLocaleString('en')}
          onSelect={() => void addTrack(playlist, track)}
        >
          {playlist.title}
        </MenuItem>
      ))}
    </>
  )
}

function QueueItems({ track }: { track: Track }) {
  return (
    <>
      <MenuItem
        icon={<IconPlayerTrackNext />}
        onSelect={() => {
          enqueueNext([track])
          showToast({ title: 'Plays next' })
        }}
      >
        Play next
      </MenuItem>
      <MenuItem
        icon={<IconMusicPlus />}
        onSelect={() => {
          enqueue([track])
          showToast({ title: 'Added to queue' })
        }}
      >
        Add to queue
      </MenuItem>
    </>
  )
}
