// What the listener wants to hear, and what is known of it; never the sound itself, which follows.
// Invariant: `instance` rises whenever something is to play from another place than it does, so that
// whoever works for an older instance knows that it is void.
import { create } from 'zustand'
import type { PlayCap } from '#contract/playing.ts'
import { playbackSource, type PlaybackSource } from './playback-source.ts'
import { currentEntry, emptyQueue, type PlayQueue } from './play-queue.ts'
import { defaultPlayerSettings, type PlayerSettings } from './player-settings.ts'
import type { PlayerTrack } from './player-track.ts'
import type { SleepTimer } from './sleep-timer.ts'

/** Whose player this is, and what the plan allows. */
export interface Listener {
  user_id: string
  is_premium: boolean
}

/** Why nothing can be heard just now, in words for the listener. */
export type PlayerProblem =
  /** `retrying`: we go on trying. `stopped`: the listener has to act. */
  | { kind: 'retrying' | 'stopped'; message: string }
  /** Another tab of this browser plays, or another device of the account. Cap null: what the plan allows is not known. */
  | { kind: 'elsewhere'; where: 'tab' | 'device'; cap: PlayCap | null }

export interface PlayerState {
  listener: Listener | null
  queue: PlayQueue
  /** Where the list came from, in words for the queue panel: a playlist's title, 'Liked'. */
  source: string | null
  playing: boolean
  instance: number
  /** Where this instance begins. */
  startSeconds: number
  /** The last wish to jump within the track; its number tells a new one from the same place again. */
  seek: { number: number; seconds: number }
  positionSeconds: number
  durationSeconds: number
  isBuffering: boolean
  isPreviewEnded: boolean
  problem: PlayerProblem | null
  /** 0–100 */
  volume: number
  muted: boolean
  settings: PlayerSettings
  sleep: SleepTimer
}

export const defaultVolume = 70

export const initialPlayerState: PlayerState = {
  listener: null,
  queue: emptyQueue,
  source: null,
  playing: false,
  instance: 0,
  startSeconds: 0,
  seek: { number: 0, seconds: 0 },
  positionSeconds: 0,
  durationSeconds: 0,
  isBuffering: false,
  isPreviewEnded: false,
  problem: null,
  volume: defaultVolume,
  muted: false,
  settings: defaultPlayerSettings,
  sleep: { kind: 'off' },
}

/** The player's state for components: `usePlayer((state) => state.playing)`. */
export const usePlayer = create<PlayerState>(() => initialPlayerState)

export function selectTrack(state: PlayerState): PlayerTrack | undefined {
  return currentEntry(state.queue)?.track
}

export function selectMode(state: PlayerState): PlaybackSource['mode'] {
  const track = selectTrack(state)
  return track ? sourceFor(state, track).mode : 'full'
}

export function sourceFor(state: PlayerState, track: PlayerTrack): PlaybackSource {
  return playbackSource(track, state.listener?.is_premium ?? false)
}

/** True while this track is the one that is heard: for the equaliser in its row. */
export function useIsPlaying(trackId: string): boolean {
  return usePlayer((state) => state.playing && selectTrack(state)?.id === trackId)
}

/** True while this track is on, playing or paused. */
export function useIsCurrent(trackId: string): boolean {
  return usePlayer((state) => selectTrack(state)?.id === trackId)
}
