// Plays a list of which only a part may be loaded. The loaded tracks start immediately, and the rest is appended to the
// queue as it arrives. Invariant: only the newest start appends to the queue, and only until the user replaces or
// shortens it.
import { enqueue, playTracks, type PlayTracksOptions } from '../player/playback/player-actions.ts'
import { isShuffled } from '../player/queue/play-queue.ts'
import { arrivingSignal, requestPlay } from '../player/queue/play-requests.ts'
import { usePlayer } from '../player/playback/player-store.ts'
import type { PlayableList } from '../player/queue/playable-list.ts'
import type { PlayerTrack } from '../player/queue/player-track.ts'

/**
 * Plays a list. Resolves when the whole list is in the queue or another start replaced it. Rejects when a part can't be
 * loaded.
 */
export async function startList(list: PlayableList, options: PlayTracksOptions): Promise<void> {
  const canStart = (options.startIndex ?? 0) < list.loaded.length
  const shuffled = options.shuffle ?? isShuffled(usePlayer.getState().queue)
  if (!list.rest || (canStart && !shuffled)) {
    playTracks(list.loaded, options)
    const signal = arrivingSignal()
    if (list.rest) await fill(list.rest(signal), signal)
    return
  }
  // Shuffling, or starting beyond the loaded tracks, needs the whole list first.
  const signal = requestPlay()
  const all = [...list.loaded]
  for await (const part of list.rest(signal)) all.push(...part)
  if (!signal.aborted) playTracks(all, options)
}

async function fill(
  parts: AsyncIterable<readonly PlayerTrack[]>,
  signal: AbortSignal,
): Promise<void> {
  let { length } = usePlayer.getState().queue.entries
  for await (const part of parts) {
    if (signal.aborted || usePlayer.getState().queue.entries.length < length) return
    enqueue(part)
    length = usePlayer.getState().queue.entries.length
  }
}
