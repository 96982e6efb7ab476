// The exact current position, for rendering on every frame. The store is updated only a few times a second.
import { usePlayer } from './player-store.ts'

const fromStore = () => usePlayer.getState().positionSeconds
let readPosition = fromStore

/** Seconds into the current track. */
export function playbackPositionSeconds(): number {
  return readPosition()
}

/** Uses an engine as the clock until the returned function is called. */
export function setPlaybackClock(read: () => number): () => void {
  readPosition = read
  return () => {
    if (readPosition === read) readPosition = fromStore
  }
}
