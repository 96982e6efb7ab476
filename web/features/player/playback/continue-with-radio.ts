// Plays on when the queue ends: while the last entries play, similar tracks are appended, so that they start without a gap.
// A list that repeats never ends.
import { startRadio } from '#contract/radio.ts'
import { call } from '../../../base/api/api.ts'
import { isOnline } from '../../../base/api/connection.ts'
import { dropRadio } from '../queue/play-queue.ts'
import { enqueueRadio } from './player-actions.ts'
import { selectMode, usePlayer, type PlayerState, type Station } from './player-store.ts'

/** Entries after the current one below which more are fetched. */
const fewestAhead = 2
/** The server takes a thousand; older entries may come again. */
const mostExcluded = 1000
const retryAfterMs = 15_000

/** Until the returned function is called. */
export function continueWithRadio(): () => void {
  const leaving = new AbortController()
  let isAsking = false
  let notBeforeMs = 0

  async function extend(state: PlayerState): Promise<void> {
    isAsking = true
    const { entries } = state.queue
    try {
      const added = await fetchMore(state, leaving.signal)
      const now = usePlayer.getState()
      // Otherwise another list was started, or the listener has changed this one.
      const isSame = now.queue.entries === entries && isEnding(now)
      if (isSame && added.tracks.length > 0) enqueueRadio(added.tracks, added.station)
      if (added.tracks.length === 0) notBeforeMs = performance.now() + retryAfterMs
    } catch {
      // The queue then ends as it would without radio, unless a later try succeeds.
      notBeforeMs = performance.now() + retryAfterMs
    } finally {
      isAsking = false
    }
  }

  function follow(state: PlayerState): void {
    if (!isWanted(state)) return dropUnwanted(state)
    if (isAsking || performance.now() < notBeforeMs || !state.playing || !isEnding(state)) return
    if (isOnline()) void extend(state)
  }

  const unsubscribe = usePlayer.subscribe(follow)
  return () => {
    unsubscribe()
    leaving.abort()
  }
}

function isWanted({ settings, queue, listener }: PlayerState): boolean {
  return settings.autoplay && queue.repeat === 'off' && listener !== null
}

/** Previews stop at their end, so nothing follows them by itself. A station goes on with the next button. */
function isEnding(state: PlayerState): boolean {
  const { entries, index } = state.queue
  if (index < 0 || !isWanted(state)) return false
  const goesOn = selectMode(state) === 'full' || state.station !== null
  return goesOn && entries.length - 1 - index < fewestAhead
}

/** The list ends again where the listener's own tracks end. A station that they started stays. */
function dropUnwanted({ queue, station }: PlayerState): void {
  if (station === null || station.isAsked) return
  usePlayer.setState({ queue: dropRadio(queue), station: null })
}

async function fetchMore({ queue, station }: PlayerState, signal: AbortSignal) {
  const last = queue.entries.at(-1)
  const goesOn = station !== null && (station.isAsked || last?.by_radio === true)
  const seed = goesOn ? station.seed : ({ kind: 'track', id: last?.track.id ?? '' } as const)
  const exclude = queue.entries.slice(-mostExcluded).map(({ track }) => track.id)
  const { title, data } = await call(startRadio, { body: { seed, exclude } }, { signal })
  const next: Station = { seed, title, isAsked: goesOn && station.isAsked }
  return { tracks: data, station: next }
}
