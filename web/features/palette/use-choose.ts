// Runs the selected choice of the palette.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Track } from '#contract/tracks.ts'
import { ApiError } from '../../base/api/api.ts'
import { useLogout } from '../../base/session/logout.ts'
import { useSession } from '../../base/session/session.ts'
import { showError } from '../../base/api/show-error.ts'
import { artistPath } from '../catalogue/artist-links.tsx'
import { requestPlay } from '../player/queue/play-requests.ts'
import {
  enqueue,
  playTracks,
  skipNext,
  skipPrevious,
  togglePlay,
  toggleShuffle,
} from '../player/playback/player-actions.ts'
import { closeFullPlayer, setHelpOpen } from '../player/playback/player-view.ts'
import { trackDetailOptions } from '../player/playback/track-detail.ts'
import { chooseColorScheme } from '../../base/ui/theme/color-scheme.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import type { PaletteChoice } from './palette-choice.ts'
import type { PaletteAction } from './palette-commands.ts'
import { removeRecentChoice, rememberChoice } from './recent-choices.ts'

export function useChoose(onClose: () => void) {
  const navigate = useNavigate()
  const logout = useLogout()
  const queryClient = useQueryClient()
  const userId = useSession().user?.id

  const actions: Record<PaletteAction, () => void> = {
    'toggle-play': togglePlay,
    next: skipNext,
    previous: skipPrevious,
    'toggle-shuffle': toggleShuffle,
    'color-dark': () => chooseColorScheme('dark'),
    'color-light': () => chooseColorScheme('light'),
    'color-system': () => chooseColorScheme('system'),
    shortcuts: () => setHelpOpen(true),
    logout: () => logout.mutate(),
  }

  /** Finds a track among the results, or fetches a remembered track. Undefined if the track no longer exists. */
  async function findTrack(choice: PaletteChoice, tracks: readonly Track[]) {
    const found = tracks.find(({ id }) => id === choice.id)
    if (found) return found
    try {
      return await queryClient.ensureQueryData(trackDetailOptions(choice.id))
    } catch (error) {
      if (userId && error instanceof ApiError && error.status === 404)
        removeRecentChoice(userId, choice)
      showError(error)
      return undefined
    }
  }

  async function playOrOpen(choice: PaletteChoice, tracks: readonly Track[]) {
    if (choice.kind === 'action') return actions[choice.id as PaletteAction]()
    if (choice.kind === 'track') {
      const signal = requestPlay()
      const track = await findTrack(choice, tracks)
      if (!track || signal.aborted) return
      const list = tracks.includes(track) ? tracks : [track]
      playTracks(list, { startIndex: list.indexOf(track), source: 'Search' })
      return
    }
    // Close the full-window player: it would cover the new screen.
    closeFullPlayer()
    await navigate(getChoicePath(choice))
  }

  return {
    /** Plays a track together with the other results. Opens any other choice. */
    choose(choice: PaletteChoice, tracks: readonly Track[]): void {
      if (userId) rememberChoice(userId, choice)
      onClose()
      void playOrOpen(choice, tracks)
    },
    /** Adds a track to the queue. The palette stays open, so that the user can add more. */
    async addToQueue(choice: PaletteChoice, tracks: readonly Track[]): Promise<void> {
      const track = await findTrack(choice, tracks)
      if (!track) return
      if (userId) rememberChoice(userId, choice)
      enqueue([track])
      showToast({ title: 'Added to queue', message: track.title })
    },
  }
}

function getChoicePath({ kind, id }: PaletteChoice): string {
  if (kind === 'playlist') return `/my-playlists/${id}`
  if (kind === 'release') return `/releases/${id}`
  if (kind === 'artist') return artistPath(id)
  if (kind === 'category') return `/browse?category=${encodeURIComponent(id)}`
  return id
}
