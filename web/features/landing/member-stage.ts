// The hero for members. Its controls drive the app's player and show its state, so that the page has only one source of
// sound and one playback state.
import type { QueryClient } from '@tanstack/react-query'
import type { ShowcaseTrack } from '#contract/showcase-tracks.ts'
import { showError } from '../../base/api/show-error.ts'
import { playTracks, seekTo, togglePlay } from '../player/playback/player-actions.ts'
import { requestPlay } from '../player/queue/play-requests.ts'
import { playbackPositionSeconds } from '../player/playback/playback-clock.ts'
import { selectTrack, usePlayer } from '../player/playback/player-store.ts'
import { trackDetailOptions } from '../player/playback/track-detail.ts'
import type { PreviewState, StagePlayer } from './preview-player.ts'

export class MemberStage implements StagePlayer {
  readonly noun = 'track'
  readonly #queryClient: QueryClient
  #tracks: readonly ShowcaseTrack[] = []
  #picked = 0
  /** Index of a track that the user pressed and that is still loading. */
  #starting: number | null = null
  readonly #listeners = new Set<() => void>()

  constructor(queryClient: QueryClient) {
    this.#queryClient = queryClient
  }

  read = (): PreviewState => {
    const index = this.#picked
    const { playing, isBuffering, positionSeconds } = usePlayer.getState()
    if (this.#starting === index) return { index, sound: 'waiting', elapsedSeconds: 0 }
    if (!this.#isCurrent(index)) return { index, sound: 'paused', elapsedSeconds: 0 }
    const sound = isBuffering ? 'waiting' : 'playing'
    return { index, sound: playing ? sound : 'paused', elapsedSeconds: positionSeconds }
  }

  readSeconds(): number {
    return this.#isCurrent(this.#picked) ? playbackPositionSeconds() : 0
  }

  lengthSeconds(track: ShowcaseTrack): number {
    const { listener, durationSeconds } = usePlayer.getState()
    const isCurrent = this.#tracks.indexOf(track) === this.#currentIndex()
    if (durationSeconds > 0 && isCurrent) return durationSeconds
    return listener?.is_premium ? track.duration : track.preview_seconds
  }

  isSounding(): boolean {
    return this.read().sound !== 'paused'
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    const unsubscribe = usePlayer.subscribe((state, before) => {
      // When the player advances to another track, the cover of that track moves to the front.
      if (selectTrack(state)?.id !== selectTrack(before)?.id && this.#starting === null) {
        const index = this.#currentIndex()
        if (index >= 0) this.#picked = index
      }
      listener()
    })
    return () => {
      this.#listeners.delete(listener)
      unsubscribe()
    }
  }

  setTracks(next: readonly ShowcaseTrack[]): void {
    const id = this.#tracks[this.#picked]?.id
    this.#tracks = next
    const index = this.#currentIndex()
    this.#picked = Math.max(0, index >= 0 ? index : next.findIndex((track) => track.id === id))
  }

  toggle(index: number): void {
    if (!this.#isCurrent(index)) return void this.#start(index)
    this.#picked = index
    togglePlay()
  }

  pick(index: number): void {
    const wrapped = (index + this.#tracks.length) % this.#tracks.length
    if (this.isSounding()) return void this.#start(wrapped)
    this.#picked = wrapped
    this.#notify()
  }

  seek(seconds: number): void {
    const picked = this.#picked
    if (this.#isCurrent(picked)) return seekTo(seconds)
    void this.#start(picked).then(() => this.#isCurrent(this.#picked) && seekTo(seconds))
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }

  #currentIndex(): number {
    const id = selectTrack(usePlayer.getState())?.id
    return this.#tracks.findIndex((track) => track.id === id)
  }

  #isCurrent(index: number): boolean {
    return index >= 0 && index === this.#currentIndex()
  }

  /** Plays all tracks of the hero, starting with this one. */
  async #start(index: number): Promise<void> {
    const wanted = this.#tracks[index]
    if (!wanted) return
    this.#picked = this.#starting = index
    this.#notify()
    const signal = requestPlay()
    try {
      const found = await Promise.all(
        this.#tracks.map(({ id }) => this.#queryClient.ensureQueryData(trackDetailOptions(id))),
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
      if (this.#starting === index) this.#starting = null
      this.#notify()
    }
  }
}
