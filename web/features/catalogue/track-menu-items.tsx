// The items of a track's menu.
import {
  IconHeart,
  IconHeartFilled,
  IconMusicPlus,
  IconPlayerTrackNext,
  IconPlaylist,
  IconPlaylistX,
  IconPlus,
  IconRadio,
  IconRoute,
  IconSelectAll,
  IconShare3,
  IconVinyl,
  IconUser,
  IconWorld,
} from '#web/base/ui/icons/icons.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Playlist } from '#contract/playlists.ts'
import type { Track } from '#contract/tracks.ts'
import { enqueue, enqueueNext } from '../player/playback/player-actions.ts'
import { selectTrack, usePlayer } from '../player/playback/player-store.ts'
import { closeFullPlayer } from '../player/playback/player-view.ts'
import { MenuItem, MenuLabel, MenuSeparator } from '../../base/ui/overlays/menu.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { artistPath, getLineArtists } from './artist-links.tsx'
import { usePlaylistActions } from './playlist-actions.tsx'
import { playlistListOptions } from './queries/playlist-queries.ts'
import { mayChangeTracks } from './queries/playlist-role.ts'
import { useFeature } from '../../base/session/features.ts'
import { playPath, playRadio } from './play-radio.ts'
import { copyEmbedCode, embedCode, shareTrack } from './sharing/share-track.ts'
import { TrackDownloadSlot } from './track-download.tsx'
import { useLike } from './use-like.ts'

export interface TrackItemsProps {
  track: Track
  onRemove?: ((track: Track) => void) | undefined
  onChoose?: (() => void) | undefined
}

export function TrackItems({ track, onRemove, onChoose }: TrackItemsProps) {
  const like = useLike()
  const navigate = useNavigate()
  const artists = getLineArtists(track)
  return (
    <>
      <MenuItem
        icon={<IconPlayerTrackNext />}
        onSelect={() => {
          enqueueNext([track])
          showToast({ title: 'Playing next', message: track.title })
        }}
      >
        Play next
      </MenuItem>
      <MenuItem
        icon={<IconMusicPlus />}
        onSelect={() => {
          enqueue([track])
          showToast({ title: 'Added to queue', message: track.title })
        }}
      >
        Add to queue
      </MenuItem>
      <MenuItem
        icon={track.is_liked ? <IconHeartFilled /> : <IconHeart />}
        onSelect={() => like.mutate({ id: track.id, liked: !track.is_liked })}
      >
        {track.is_liked ? 'Unlike' : 'Like'}
      </MenuItem>
      <MenuItem
        icon={<IconRadio />}
        onSelect={() => void playRadio({ kind: 'track', id: track.id }, track)}
      >
        Start radio
      </MenuItem>
      <PathItem track={track} />
      <TrackDownloadSlot track={track} />
      <ShareItems track={track} />
      {track.release && (
        <MenuItem
          icon={<IconVinyl />}
          onSelect={() => {
            // Close the full-window player: it would cover the release.
            closeFullPlayer()
            void navigate(`/releases/${track.release?.slug}`)
          }}
        >
          Go to release
        </MenuItem>
      )}
      {artists.map(({ id, slug, name, credited_as }, index) => (
        <MenuItem
          key={`${id} ${index}`}
          icon={<IconUser />}
          onSelect={() => void navigate(artistPath(slug))}
        >
          {artists.length === 1 ? 'Go to artist' : `Go to ${credited_as ?? name}`}
        </MenuItem>
      ))}
      {onChoose && (
        <MenuItem icon={<IconSelectAll />} onSelect={onChoose}>
          Select
        </MenuItem>
      )}
      {onRemove && (
        <MenuItem icon={<IconPlaylistX />} onSelect={() => onRemove(track)}>
          Remove from this playlist
        </MenuItem>
      )}
      <MenuSeparator />
    </>
  )
}

function ShareItems({ track }: { track: Track }) {
  const code = embedCode(track)
  return (
    <>
      <MenuItem icon={<IconShare3 />} onSelect={() => void shareTrack(track)}>
        Share
      </MenuItem>
      {code !== null && (
        <MenuItem icon={<IconWorld />} onSelect={() => void copyEmbedCode(code)}>
          Copy embed code
        </MenuItem>
      )}
    </>
  )
}

/**
 * The item that plays a path from the current track to this one. Rendered only while another track is loaded in the
 * player.
 */
function PathItem({ track }: { track: Track }) {
  const current = usePlayer(selectTrack)
  const isOpen = useFeature('song_path')
  if (!isOpen || !current || current.id === track.id) return null
  return (
    <MenuItem icon={<IconRoute />} onSelect={() => void playPath(current, track)}>
      Play a path to this track
    </MenuItem>
  )
}

export interface PlaylistItemsProps {
  tracks: readonly Pick<Track, 'id'>[]
  onAdded?: () => void
}

export function PlaylistItems({ tracks, onAdded }: PlaylistItemsProps) {
  const { addTrack, addTracks, newPlaylist } = usePlaylistActions()
  async function add(playlist: Playlist) {
    const [first, ...others] = tracks
    if (!first) return
    const isAdded = await (others.length > 0
      ? addTracks(playlist, tracks)
      : addTrack(playlist, first))
    if (isAdded) onAdded?.()
  }
  const { data, isPending, isError } = useInfiniteQuery(playlistListOptions('own'))
  const shared = useInfiniteQuery(playlistListOptions('shared'))
  const playlists = [data, shared.data]
    .flatMap((list) => list?.pages.flatMap((page) => page.data) ?? [])
    .filter(mayChangeTracks)
  return (
    <>
      <MenuLabel>Add to playlist</MenuLabel>
      <MenuItem icon={<IconPlus />} onSelect={() => newPlaylist(...tracks)}>
        New playlist
      </MenuItem>
      {isPending && <MenuLabel>Loading your playlists…</MenuLabel>}
      {isError && <MenuLabel>Your playlists could not be loaded.</MenuLabel>}
      {playlists.map((playlist) => (
        <MenuItem
          key={playlist.id}
          icon={<IconPlaylist />}
          aside={playlist.track_count.toLocaleString('en')}
          onSelect={() => void add(playlist)}
        >
          {playlist.title}
        </MenuItem>
      ))}
    </>
  )
}
