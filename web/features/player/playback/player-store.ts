// The desired and known state of the player; the audio engine follows it. Invariant: `instance` increases whenever
// playback must start from another position or file, so that async work for an older instance can detect that it is
// stale.
import { create } from 'zustand'
import type { Spot } from '#contract/spots.ts'
import type { PlayCap } from '#contract/playing.ts'
import type { PlayContext } from '#contract/play-context.ts'
import { playbackSource, type PlaybackSource } from '../engine/playback-source.ts'
import { currentEntry, emptyQueue, type PlayQueue } from '../queue/play-queue.ts'
import { defaultPlayerSettings, type PlayerSettings } from '../queue/player-settings.ts'
import type { PlayerTrack } from '../queue/player-track.ts'
import type { SleepTimer } from '../queue/sleep-timer.ts'
import type { Station } from '../queue/station.ts'

/** The signed-in user, and whether their plan is Premium. */
export interface Listener {
  user_id: string
  is_premium: boolean
}

/** Why playback stopped, with a message for the user. */
export type PlayerProblem =
  /** `retrying`: retries are pending. `stopped`: the user has to act. */
  | { kind: 'retrying' | 'stopped'; message: string }
  /**
   * Set if another tab of this browser or another device of the account is playing. `cap` is null if the plan's limit
   * is unknown.
   */
  | { kind: 'elsewhere'; where: 'tab' | 'device'; cap: PlayCap | null }

/** The tracks that autoplay has loaded for the end of the queue. They are not in the queue yet. */
export interface RadioAhead {
  tracks: readonly PlayerTrack[]
  station: Station
  /** Entry id of the queue's last entry when the tracks were loaded. */
  afterEntryId: number
}

/** A spot or card: a message from the owner, or the Premium offer. */
export interface ActiveSpot {
  spot: Spot
  /** Identifies this instance of the spot to the server. */
  show_id: string
}

export interface PlayerState {
  listener: Listener | null
  queue: PlayQueue
  /** Name of the list's source, shown in the queue panel: a playlist's title, 'Liked'. */
  source: string | null
  /** Identifies the list, so that it can be continued later. */
  context: PlayContext | null
  /** The radio station that added the latest tracks of the queue. */
  station: Station | null
  radioAhead: RadioAhead | null
  /** The spot or card due after this instance's song, loaded while the song plays. */
  spotAhead: (ActiveSpot & { instance: number }) | null
  /** The spot that plays before the queue's current track. */
  spot: ActiveSpot | null
  /** The card that is shown while the music continues. */
  card: ActiveSpot | null
  playing: boolean
  instance: number
  /** Position in seconds at which this instance started. */
  startSeconds: number
  /** The last seek. Its number distinguishes a repeated seek to the same position. */
  seek: { number: number; seconds: number }
  positionSeconds: number
  durationSeconds: number
  isBuffering: boolean
  isPreviewEnded: boolean
  problem: PlayerProblem | null
  /** From 0 to 100. */
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
  context: null,
  station: null,
  radioAhead: null,
  spotAhead: null,
  spot: null,
  card: null,
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

/** Returns a part of the player's state to a component: `usePlayer((state) => state.playing)`. */
export const usePlayer = create<PlayerState>(() => initialPlayerState)

export function selectTrack(state: PlayerState): PlayerTrack | undefined {
  return currentEntry(state.queue)?.track
}

export function selectMode(state: PlayerState): PlaybackSource['mode'] {
  const track = selectTrack(state)
  return track && !state.spot ? selectPlaybackSource(state, track).mode : 'full'
}

/** Returns true while a spot plays that can't be skipped yet. */
export function isSpotLocked({ spot, positionSeconds }: PlayerState): boolean {
  if (!spot) return false
  const { skip_after_seconds } = spot.spot
  return skip_after_seconds === null || positionSeconds < skip_after_seconds
}

export function selectPlaybackSource(state: PlayerState, track: PlayerTrack): PlaybackSource {
  return playbackSource(track, state.listener?.is_premium ?? false)
}

/** True while this track plays. False while a spot plays before it. */
export function useIsPlaying(trackId: string): boolean {
  return usePlayer(
    (state) => state.playing && state.spot === null && selectTrack(state)?.id === trackId,
  )
}

/** True while the row of this track shows the equalizer. False while a spot plays before the track. */
export function useShowsEqualizer(trackId: string): boolean {
  return usePlayer((state) => state.spot === null && selectTrack(state)?.id === trackId)
}

/** True while this track is current, playing or paused. */
export function useIsCurrent(trackId: string): boolean {
  return usePlayer((state) => selectTrack(state)?.id === trackId)
}
