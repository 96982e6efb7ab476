// Autoplay: loads similar tracks while the last entries of the queue play. Does nothing for a repeated list.
import { startRadio } from '#contract/radio.ts'
import { call } from '../../../base/api/api.ts'
import { isOnline } from '../../../base/api/connection.ts'
import { currentEntry, dropRadio } from '../queue/play-queue.ts'
import type { Station } from '../queue/station.ts'
import { selectMode, usePlayer, type PlayerState, type RadioAhead } from './player-store.ts'
import { getRadioAhead } from './radio-ahead.ts'

/** More tracks are loaded when fewer entries than this follow the current one. */
const minEntriesAfter = 2
/** The server's limit for excluded tracks. Older entries may repeat. */
const maxExcluded = 1000
const retryAfterMs = 15_000

/** Loads similar tracks ahead until the returned function is called. */
export function continueWithRadio(): () => void {
  const disposal = new AbortController()
  let isLoading = false
  let notBeforeMs = 0

  async function load(state: PlayerState): Promise<void> {
    isLoading = true
    try {
      const radioAhead = await fetchAhead(state, disposal.signal)
      if (radioAhead.tracks.length > 0) usePlayer.setState({ radioAhead })
      else notBeforeMs = performance.now() + retryAfterMs
    } catch {
      // The queue then ends without radio tracks, unless a later attempt succeeds.
      notBeforeMs = performance.now() + retryAfterMs
    } finally {
      isLoading = false
    }
  }

  function onPlayerChange(state: PlayerState): void {
    if (hasBegun(state)) return begin(state)
    if (!state.settings.autoplay) return removeRadioTracks(state)
    if (isLoading || performance.now() < notBeforeMs || !needsMoreTracks(state)) return
    if (getRadioAhead(state) === null && isOnline()) void load(state)
  }

  const unsubscribe = usePlayer.subscribe(onPlayerChange)
  return () => {
    unsubscribe()
    disposal.abort()
  }
}

/** True once the loaded tracks were appended to the queue. */
function hasBegun({ radioAhead, queue }: PlayerState): boolean {
  if (radioAhead === null || !currentEntry(queue)?.by_radio) return false
  return queue.entries.at(-1)?.track.id === radioAhead.tracks.at(-1)?.id
}

function begin({ radioAhead }: PlayerState): void {
  usePlayer.setState({ station: radioAhead?.station ?? null, radioAhead: null })
}

/**
 * A preview stops at its end, so no tracks are needed after it. A radio station is the exception: the listener
 * continues it with the next button.
 */
function needsMoreTracks(state: PlayerState): boolean {
  const { entries, index, repeat } = state.queue
  if (index < 0 || !state.playing || repeat !== 'off' || state.listener === null) return false
  const continues = selectMode(state) === 'full' || state.station !== null
  return continues && entries.length - 1 - index < minEntriesAfter
}

/** Removes the tracks that autoplay added or loaded. A radio station that the listener started stays. */
function removeRadioTracks({ queue, station, radioAhead }: PlayerState): void {
  if (station !== null && !station.isAsked) {
    usePlayer.setState({ queue: dropRadio(queue), station: null, radioAhead: null })
  } else if (radioAhead !== null) {
    usePlayer.setState({ radioAhead: null })
  }
}

async function fetchAhead(
  { queue, station }: PlayerState,
  signal: AbortSignal,
): Promise<RadioAhead> {
  const last = queue.entries.at(-1)
  const continues = station !== null && (station.isAsked || last?.by_radio === true)
  const seed = continues ? station.seed : ({ kind: 'track', id: last?.track.id ?? '' } as const)
  const exclude = queue.entries.slice(-maxExcluded).map(({ track }) => track.id)
  const { title, data } = await call(startRadio, { body: { seed, exclude } }, { signal })
  const next: Station = { seed, title, isAsked: continues && station.isAsked }
  return { tracks: data, station: next, afterEntryId: last?.entry_id ?? 0 }
}
