// Loads and plays a radio station, a mix, or a path of similar tracks. A newer play request aborts the loading.
import type { RadioSeed } from '#contract/play-context.ts'
import { showError } from '../../base/api/show-error.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { playStation, playTracks } from '../player/playback/player-actions.ts'
import { requestPlay } from '../player/queue/play-requests.ts'
import type { PlayerTrack } from '../player/queue/player-track.ts'
import { fetchMix, fetchStation, fetchTrackPath } from './queries/radio-queries.ts'

/** Plays a radio station. `first` is the seed track, with which the station begins. */
export async function playRadio(seed: RadioSeed, first?: PlayerTrack): Promise<void> {
  await load(async (signal) => {
    const { title, data } = await fetchStation(seed, first ? [first.id] : [], signal)
    if (data.length === 0 && !first) return showNothingFound('No similar tracks were found.')
    return () => playStation(first ? [first, ...data] : data, { seed, title, isAsked: true })
  })
}

export async function playMix(position: number): Promise<void> {
  await load(async (signal) => {
    const { title, data } = await fetchMix(position, signal)
    if (data.length === 0)
      return showNothingFound('The tracks in this mix are no longer available.')
    return () => playTracks(data, { source: title, shuffle: false, repeat: 'off' })
  })
}

/** Plays similar tracks that lead from one track to another. */
export async function playPath(from: PlayerTrack, to: PlayerTrack): Promise<void> {
  await load(async (signal) => {
    const tracks = await fetchTrackPath(from.id, to.id, signal)
    if (tracks.length === 0) return showNothingFound('No path of similar tracks was found.')
    return () =>
      playTracks(tracks, { source: `Path to ${to.title}`, shuffle: false, repeat: 'off' })
  })
}

function showNothingFound(title: string): null {
  showToast({ title })
  return null
}

async function load(fetch: (signal: AbortSignal) => Promise<(() => void) | null>): Promise<void> {
  const signal = requestPlay()
  try {
    const start = await fetch(signal)
    if (!signal.aborted) start?.()
  } catch (error) {
    if (!signal.aborted) showError(error)
  }
}
