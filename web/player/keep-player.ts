// Writes the player down as it changes: the queue soon after an edit, the place every few seconds
// while it moves, and both when the page is left. Never on every tick.
import { usePlayer, type PlayerState } from './player-store.ts'
import { savePlace, saveQueue } from './saved-player.ts'

const queueDelayMs = 400
const placeIntervalMs = 5000

/** Keeps the player of one account until the returned function is called. */
export function keepPlayer(userId: string): () => void {
  let queueTimer: ReturnType<typeof setTimeout> | undefined
  let placeTimer: ReturnType<typeof setTimeout> | undefined

  function writeQueue() {
    clearTimeout(queueTimer)
    queueTimer = undefined
    writePlace()
    saveQueue(userId, usePlayer.getState())
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
    if (hasOtherTracks(state, before)) queueTimer ??= setTimeout(writeQueue, queueDelayMs)
    if (state.playing !== before.playing) placeTimer ??= setTimeout(writePlace, queueDelayMs)
    else if (hasOtherPlace(state, before)) placeTimer ??= setTimeout(writePlace, placeIntervalMs)
  })
  // A list that was started before the player itself had loaded.
  if (usePlayer.getState().queue.entries.length > 0)
    queueTimer = setTimeout(writeQueue, queueDelayMs)
  addEventListener('pagehide', flush)
  document.addEventListener('visibilitychange', flushWhenHidden)

  return () => {
    unsubscribe()
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

function hasOtherPlace(state: PlayerState, before: PlayerState): boolean {
  return (
    state.queue !== before.queue ||
    state.positionSeconds !== before.positionSeconds ||
    state.volume !== before.volume ||
    state.muted !== before.muted ||
    state.settings !== before.settings
  )
}
