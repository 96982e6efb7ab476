// A list that can be played before all of it is loaded.
import type { PlayerTrack } from './player-track.ts'

export interface PlayableList {
  /** The beginning of the list, without gaps. */
  loaded: readonly PlayerTrack[]
  /** The tracks after `loaded`, in parts; null when there are none. */
  rest: ((signal: AbortSignal) => AsyncIterable<readonly PlayerTrack[]>) | null
}
