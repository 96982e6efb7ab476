// The hero for members: its controls drive the app's player and show its state, so that the page has one sound and one
// state.
import type { QueryClient } from '@tanstack/react-query'
import type { ShowcaseTrack } from '#contract/showcase-tracks.ts'
import { showError } from '../../base/api/show-error.ts'
import { playTracks, seekTo, togglePlay } from '../player/playback/player-actions.ts'
import { requestPlay } from '../player/queue/play-requests.ts'
import { playbackPositionSeconds } from '../player/playback/playback-clock.ts'
import { selectTrack, usePlayer } from '../player/playback/player-store.ts'
import { trackDetailOptions } from '../player/playback/track-detail.ts'
import type { PreviewState, StagePlayer } from './preview-player.ts'

export function createMemberStage(queryClient: QueryClient): StagePlayer {
  let tracks: readonly ShowcaseTrack[] = []
  let picked = 0
  /** Index of a track that was pressed and is still loading. */
  let starting: number | null = null
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }

  const currentIndex = () => {
    const id = selectTrack(usePlayer.getState())?.id
    return tracks.findIndex((track) => track.id === id)
  }
  const isCurrent = (index: number) => index >= 0 && index === currentIndex()

  function read(): PreviewState {
    const { playing, isBuffering, positionSeconds } = usePlayer.getState()
    if (starting === picked) return { index: picked, sound: 'waiting', elapsedSeconds: 0 }
    if (!isCurrent(picked)) return { index: picked, sound: 'paused', elapsedSeconds: 0 }
    const sound = isBuffering ? 'waiting' : 'playing'
    return { index: picked, sound: playing ? sound : 'paused', elapsedSeconds: positionSeconds }
  }

  /** Plays all tracks of the hero, starting with this one. */
  async function start(index: number): Promise<void> {
    const wanted = tracks[index]
    if (!wanted) return
    picked = starting = index
    notify()
    const signal = requestPlay()
    try {
      const found = await Promise.all(
        tracks.map(({ id }) => queryClient.ensureQueryData(trackDetailOptions(id))),
      )
      if (signal.aborted) return
      playTracks(found, {
        startIndex: found.findIndex(({ id }) => id === wanted.id),
        shuffle: false,
        source: 'Newest tracks',
      })
    } catch (error) {
      showError(error)
    } finally {
      if (starting === index) starting = null
      notify()
    }
  }

  return {
    noun: 'track',
    read,
    readSeconds: () => (isCurrent(picked) ? playbackPositionSeconds() : 0),
    lengthSeconds(track) {
      const { listener, durationSeconds } = usePlayer.getState()
      if (durationSeconds > 0 && tracks.indexOf(track) === currentIndex()) return durationSeconds
      return listener?.is_premium ? track.duration : track.preview_seconds
    },
    isSounding: () => read().sound !== 'paused',
    hear(listener) {
      listeners.add(listener)
      const unsubscribe = usePlayer.subscribe((state, before) => {
        // When the player moves on to another track, its cover moves to the front.
        if (selectTrack(state)?.id !== selectTrack(before)?.id && starting === null) {
          const index = currentIndex()
          if (index >= 0) picked = index
        }
        listener()
      })
      return () => {
        listeners.delete(listener)
        unsubscribe()
      }
    },
    setTracks(next) {
      const id = tracks[picked]?.id
      tracks = next
      const index = currentIndex()
      picked = Math.max(0, index >= 0 ? index : next.findIndex((track) => track.id === id))
    },
    toggle(index) {
      if (!isCurrent(index)) return void start(index)
      picked = index
      togglePlay()
    },
    pick(index) {
      const wrapped = (index + tracks.length) % tracks.length
      if (read().sound !== 'paused') return void start(wrapped)
      picked = wrapped
      notify()
    },
    seek(seconds) {
      if (isCurrent(picked)) seekTo(seconds)
      else void start(picked).then(() => isCurrent(picked) && seekTo(seconds))
    },
  }
}
