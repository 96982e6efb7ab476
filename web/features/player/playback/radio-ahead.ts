// Appends the loaded radio tracks to the queue. Pure: nothing is loaded here.
import { afterNext, enqueueRadio, type PlayQueue } from '../queue/play-queue.ts'
import { usePlayer, type PlayerState, type RadioAhead } from './player-store.ts'

/**
 * The loaded radio tracks. Null if autoplay is off, the queue repeats, or its end has changed since the tracks were
 * loaded.
 */
export function getRadioAhead(state: PlayerState): RadioAhead | null {
  const { radioAhead, queue, settings } = state
  if (!settings.autoplay || queue.repeat !== 'off') return null
  return radioAhead?.afterEntryId === queue.entries.at(-1)?.entry_id ? radioAhead : null
}

/** Wraps a queue step: if the queue ends there, appends the radio tracks and moves to the first of them. */
export function withRadioFallback(
  step: (queue: PlayQueue) => PlayQueue | null,
): (queue: PlayQueue) => PlayQueue | null {
  const ahead = getRadioAhead(usePlayer.getState())
  return (queue) => {
    const next = step(queue)
    if (next || !ahead || queue.entries.at(-1)?.entry_id !== ahead.afterEntryId) return next
    return afterNext(enqueueRadio(queue, ahead.tracks))
  }
}
