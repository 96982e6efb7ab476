// Saves the player's state: the queue soon after an edit, the position every few seconds while it changes, and
// everything when the page is hidden. It never writes on every tick.
import type { PlayQueue } from '../queue/play-queue.ts'
import { usePlayer, type PlayerState } from './player-store.ts'
import { saveQueue } from '../queue/saved-queue.ts'
import { savePlace } from './saved-player.ts'

/**
 * Delay before an edited queue is saved. It is short, because a page that closes right after a change may not finish
 * the write.
 */
const queueDelayMs = 50
/** Minimum time between two writes of the queue, because it may hold 20,000 tracks. */
const queueIntervalMs = 400
const placeDelayMs = 400
const placeIntervalMs = 5000

/**
 * Saves the player of one account until the returned function is called.
 * @param kept the queue that is already saved
 */
export function autoSavePlayer(userId: string, kept: PlayQueue | null): () => void {
  let queueTimer: ReturnType<typeof setTimeout> | undefined
  let writtenAtMs = -queueIntervalMs
  let placeTimer: ReturnType<typeof setTimeout> | undefined

  function writeQueue() {
    clearTimeout(queueTimer)
    queueTimer = undefined
    writtenAtMs = performance.now()
    void saveQueue(userId, usePlayer.getState().queue)
    writePlace()
  }

  function onEdit() {
    const delayMs = Math.max(queueDelayMs, writtenAtMs + queueIntervalMs - performance.now())
    queueTimer ??= setTimeout(writeQueue, delayMs)
  }

  function writePlace() {
    clearTimeout(placeTimer)
    placeTimer = undefined
    savePlace(userId, usePlayer.getState())
  }

  function flush() {
    if (queueTimer !== undefined) writeQueue()
    else writePlace()
  }

  function flushWhenHidden() {
    if (document.visibilityState === 'hidden') flush()
  }

  const unsubscribe = usePlayer.subscribe((state, before) => {
    if (hasOtherTracks(state, before)) onEdit()
    if (state.playing !== before.playing) placeTimer ??= setTimeout(writePlace, placeDelayMs)
    else if (hasPositionChanged(state, before))
      placeTimer ??= setTimeout(writePlace, placeIntervalMs)
  })
  // A list may have started before this module was loaded, so save its queue.
  const { entries } = usePlayer.getState().queue
  if (entries.length > 0 && entries !== kept?.entries) onEdit()
  addEventListener('pagehide', flush)
  document.addEventListener('visibilitychange', flushWhenHidden)

  return () => {
    unsubscribe()
    // The session may have ended: save the state, so that it is restored at the next sign-in.
    flush()
    clearTimeout(queueTimer)
    clearTimeout(placeTimer)
    removeEventListener('pagehide', flush)
    document.removeEventListener('visibilitychange', flushWhenHidden)
  }
}

function hasOtherTracks(state: PlayerState, before: PlayerState): boolean {
  return (
    state.queue.entries !== before.queue.entries || state.queue.original !== before.queue.original
  )
}

function hasPositionChanged(state: PlayerState, before: PlayerState): boolean {
  return (
    state.queue !== before.queue ||
    state.positionSeconds !== before.positionSeconds ||
    state.volume !== before.volume ||
    state.muted !== before.muted ||
    state.settings !== before.settings
  )
}
