// Playlist actions for all rows and buttons of a screen. The dialogs are mounted once, around the screen, so that they
// outlive the row or menu that opened them.
import { createContext, use, useState, type ReactNode } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { sharedErrorTexts } from '#contract/shown-texts.ts'
import { freeLimits } from '#contract/plans.ts'
import type { Playlist } from '#contract/playlists.ts'
import type { Track } from '#contract/tracks.ts'
import { ApiError } from '../../base/api/api.ts'
import { useSession } from '../../base/session/session.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { showError } from '../../base/api/show-error.ts'
import { lazyComponent } from '../../base/ui/layout/lazy-component.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import {
  playlistListOptions,
  useAddTrackToPlaylist,
  useChangePlaylistTracks,
} from './queries/playlist-queries.ts'
import { UpgradeDialog, type UpgradeReason } from './upgrade-dialog.tsx'

const CreatePlaylistDialog = lazyComponent(
  async () => (await import('./create-playlist-dialog.tsx')).CreatePlaylistDialog,
)

interface PlaylistActions {
  /** Resolves to true if the track was added. */
  addTrack: (playlist: Pick<Playlist, 'id'>, track: Pick<Track, 'id'>) => Promise<boolean>
  /** Adds several tracks in one request. Tracks that are already in the playlist keep their position. */
  addTracks: (
    playlist: Pick<Playlist, 'id' | 'title'>,
    tracks: readonly Pick<Track, 'id'>[],
  ) => Promise<boolean>
  /** Opens the form for a new playlist. The given tracks are added to the new playlist. */
  newPlaylist: (...firstTracks: readonly Pick<Track, 'id'>[]) => void
  /** True if the user has reached the free plan's limit of playlists. */
  playlistsAreFull: boolean
  showUpgrade: (reason: UpgradeReason) => void
}

const Actions = createContext<PlaylistActions | null>(null)

export function usePlaylistActions(): PlaylistActions {
  const actions = use(Actions)
  if (!actions) throw new Error('usePlaylistActions needs a PlaylistActionsProvider around it')
  return actions
}

export function PlaylistActionsProvider({ children }: { children: ReactNode }) {
  const [upgrade, setUpgrade] = useState<UpgradeReason | null>(null)
  const [creating, setCreating] = useState<{ firstTracks: readonly Pick<Track, 'id'>[] }>()
  // Stays mounted after the first opening, for its closing animation.
  const [wasCreating, setWasCreating] = useState(false)
  if (creating && !wasCreating) setWasCreating(true)
  const playlistsAreFull = usePlaylistsAreFull()
  const add = useAddTrackToPlaylist()
  const changeTracks = useChangePlaylistTracks()

  async function addTrack(playlist: Pick<Playlist, 'id'>, track: Pick<Track, 'id'>) {
    try {
      await add.mutateAsync({ playlistId: playlist.id, trackId: track.id })
    } catch (error) {
      if (codeOf(error) === 'track_limit_reached') setUpgrade('tracks')
      else showError(error, addFailure(error))
      return false
    }
    showToast({ tone: 'success', title: 'Track added to playlist!' })
    return true
  }

  const addTracks: PlaylistActions['addTracks'] = async (playlist, tracks) => {
    try {
      await changeTracks.mutateAsync({
        playlistId: playlist.id,
        changes: tracks.map(({ id }) => ({ action: 'add', track_id: id })),
      })
    } catch (error) {
      if (codeOf(error) === 'track_limit_reached') setUpgrade('tracks')
      else showError(error, 'Failed to add tracks')
      return false
    }
    const message = formatCount(tracks.length, 'track', 'tracks')
    showToast({ tone: 'success', title: `Added to ${playlist.title}`, message })
    return true
  }

  const actions: PlaylistActions = {
    addTrack,
    addTracks,
    newPlaylist(...firstTracks) {
      if (playlistsAreFull) setUpgrade('playlists')
      else setCreating({ firstTracks })
    },
    playlistsAreFull,
    showUpgrade: setUpgrade,
  }
  return (
    <Actions value={actions}>
      {children}
      {wasCreating && (
        <CreatePlaylistDialog
          open={creating !== undefined}
          onClose={() => setCreating(undefined)}
          onLimitReached={() => {
            setCreating(undefined)
            setUpgrade('playlists')
          }}
          onCreated={(playlist) => {
            setCreating(undefined)
            const [first, ...others] = creating?.firstTracks ?? []
            if (first && others.length === 0) void addTrack(playlist, first)
            else if (first) void addTracks(playlist, [first, ...others])
          }}
        />
      )}
      <UpgradeDialog reason={upgrade} onClose={() => setUpgrade(null)} />
    </Actions>
  )
}

/** Estimates from the loaded playlists whether the user has reached the plan's limit. The server enforces the limit. */
function usePlaylistsAreFull(): boolean {
  const { user } = useSession()
  const { data } = useInfiniteQuery(playlistListOptions('own'))
  const owned = data?.pages.reduce((sum, page) => sum + page.data.length, 0) ?? 0
  return user !== undefined && !user.is_premium && owned >= freeLimits.playlists
}

function addFailure(error: unknown): string {
  const code = codeOf(error)
  if (code === 'track_already_in_playlist') return sharedErrorTexts[code]
  if (code === 'owner_track_limit_reached') return 'This playlist is full'
  return 'Failed to add track'
}

function codeOf(error: unknown): ApiError['code'] | undefined {
  return error instanceof ApiError ? error.code : undefined
}
