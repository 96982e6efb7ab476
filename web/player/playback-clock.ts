// The exact position at this moment, for what is drawn every frame. The store hears of it only a few
// times a second.
import { usePlayer } from './player-store.ts'

const fromStore = () => usePlayer.getState().positionSeconds
let readPosition = fromStore

/** Seconds into the current track. */
export function playbackPositionSeconds(): number {
  return readPosition()
}

/** Makes an engine the clock until the returned function is called. */
export function setPlaybackClock(read: () => number): () => void {
  readPosition = read
  return () => {
    if (readPosition === read) readPosition = fromStore
  }
}
