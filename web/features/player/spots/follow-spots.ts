// Requests the spot or card that is due after the current song, and reports which ones were shown. If a request
// fails, the music continues without one.
import { getNextSpot, reportSpot, spotCardSeconds, type SpotEvent } from '#contract/spots.ts'
import { ApiError, call } from '../../../base/api/api.ts'
import { isOnline } from '../../../base/api/connection.ts'
import { dismissCard, endSpot } from '../playback/player-actions.ts'
import {
  selectTrack,
  usePlayer,
  type ActiveSpot,
  type PlayerState,
} from '../playback/player-store.ts'
import { newUuid } from '../queue/player-id.ts'

/** The request is sent after this much of a song. A song that is skipped earlier does not count as heard. */
const requestAfterSeconds = 3
/** A card is dismissed automatically after this time. */
const cardVisibleMs = 30_000

/** Runs until the returned function is called. */
export function followSpots(): () => void {
  const leaving = new AbortController()
  let requestedInstance = -1
  let cardTimers: ReturnType<typeof setTimeout>[] = []
  let seen = usePlayer.getState()

  async function requestSpot(trackId: string, instance: number): Promise<void> {
    requestedInstance = instance
    try {
      const input = { query: { track_id: trackId } }
      const { data } = await call(getNextSpot, input, { signal: leaving.signal })
      if (data === null || usePlayer.getState().instance !== instance) return
      usePlayer.setState({ spotAhead: { spot: data, show_id: newUuid(), instance } })
    } catch (error) {
      // Without a response, no spot or card is shown.
      if (!(error instanceof ApiError) && !leaving.signal.aborted) throw error
    }
  }

  function follow(): void {
    const before = seen
    const state = (seen = usePlayer.getState())
    if (state.spot !== before.spot) followSound(state, before)
    if (state.card !== before.card) followCard(state.card)
    if (!needsRequest(state) || requestedInstance === state.instance) return
    const track = selectTrack(state)
    if (track) void requestSpot(track.id, state.instance)
  }

  function followCard(card: ActiveSpot | null): void {
    for (const timer of cardTimers) clearTimeout(timer)
    cardTimers = []
    if (!card) return
    void sendSpotEvent(card, 'started')
    cardTimers = [
      setTimeout(() => void sendSpotEvent(card, 'finished'), spotCardSeconds * 1000),
      setTimeout(dismissCard, cardVisibleMs),
    ]
  }

  const unsubscribe = usePlayer.subscribe(follow)
  return () => {
    unsubscribe()
    leaving.abort()
    for (const timer of cardTimers) clearTimeout(timer)
  }
}

function needsRequest(state: PlayerState): boolean {
  const { listener, playing, spot, positionSeconds, startSeconds } = state
  if (listener?.is_premium !== false || !playing || spot || !isOnline()) return false
  return positionSeconds - startSeconds >= requestAfterSeconds
}

/** Reports the start once the spot is audible. */
function followSound({ spot }: PlayerState, { spot: before, ...ended }: PlayerState): void {
  if (before && hasEnded(ended)) void sendSpotEvent(before, 'finished')
  if (!spot) return
  const unsubscribe = usePlayer.subscribe((state) => {
    if (state.spot === spot && state.positionSeconds === 0) return
    unsubscribe()
    if (state.spot === spot) void reportStart(spot)
  })
}

/** True near the end of the spot, because the last progress event fires shortly before the end. */
function hasEnded({ positionSeconds, durationSeconds }: Omit<PlayerState, 'spot'>): boolean {
  return durationSeconds > 0 && positionSeconds >= durationSeconds - 1
}

/**
 * The server rejects the start if another player of the account has played a spot in the meantime, or if the spot was
 * turned off.
 */
async function reportStart(spot: ActiveSpot): Promise<void> {
  const isAccepted = await sendSpotEvent(spot, 'started')
  if (!isAccepted && usePlayer.getState().spot === spot) endSpot()
}

/** Returns false only if the server rejected the event. A lost connection or a server error counts as accepted. */
export async function sendSpotEvent(
  { spot, show_id }: ActiveSpot,
  event: SpotEvent,
): Promise<boolean> {
  try {
    const input = { params: { id: show_id }, body: { spot_id: spot.id, event } }
    await call(reportSpot, input, { outlivesPage: true })
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.status === 0 || error.status >= 500
  }
}
