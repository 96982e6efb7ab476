// One account's player, saved in this browser across reloads: the position and settings. The queue is saved separately,
// because the position changes all the time and a queue may hold 20,000 tracks.
import * as z from 'zod/mini'
import { playContext, radioSeed } from '#contract/play-context.ts'
import {
  listStorageKeys,
  readStorage,
  removeStorage,
  writeStorage,
} from '../queue/browser-storage.ts'
import { crossfadeLimitSeconds } from '../queue/player-settings.ts'
import {
  currentEntry,
  emptyQueue,
  repeatModes,
  type PlayQueue,
  type QueueEntry,
} from '../queue/play-queue.ts'
import { initialPlayerState, selectPlaybackSource, type PlayerState } from './player-store.ts'
import { removeSavedQueue, readQueue } from '../queue/saved-queue.ts'

const station = z.object({ seed: radioSeed, title: z.string(), isAsked: z.boolean() })

const settings = z.object({
  crossfade_seconds: z.number().check(z.minimum(0), z.maximum(crossfadeLimitSeconds)),
  levelling: z.boolean(),
  speed: z.number().check(z.minimum(0.5), z.maximum(2)),
  shortcuts: z.boolean(),
  /** `autoplay` is absent in data of older versions. */
  autoplay: z._default(z.boolean(), true),
})

const savedPlace = z.object({
  index: z.int().check(z.minimum(-1)),
  /** Id of the track at `index`. Absent in data of version 0.1. */
  track_id: z.optional(z.string()),
  position_seconds: z.number().check(z.minimum(0)),
  repeat: z.enum(repeatModes),
  source: z.nullable(z.string()),
  /** `context` is absent in data of older versions. */
  context: z._default(z.nullable(playContext), null),
  /** `station` is absent in data of older versions. */
  station: z._default(z.nullable(station), null),
  volume: z.number().check(z.minimum(0), z.maximum(100)),
  muted: z.boolean(),
  settings,
})

type RestoredState = Pick<
  PlayerState,
  | 'queue'
  | 'source'
  | 'context'
  | 'station'
  | 'startSeconds'
  | 'positionSeconds'
  | 'durationSeconds'
  | 'volume'
  | 'muted'
  | 'settings'
>

/** Storage key of the user who last signed out on this device deliberately. */
const signedOutKey = 'velour-player-signed-out'
const placePrefix = 'velour-player-place:'
const placeKey = (userId: string) => `${placePrefix}${userId}`

export function savePlace(userId: string, state: PlayerState): void {
  const place: z.infer<typeof savedPlace> = {
    index: state.queue.index,
    track_id: currentEntry(state.queue)?.track.id,
    // A spot is not saved: the song after it starts from its beginning instead.
    position_seconds: state.spot ? 0 : state.positionSeconds,
    repeat: state.queue.repeat,
    source: state.source,
    context: state.context,
    station: state.station,
    volume: state.volume,
    muted: state.muted,
    settings: state.settings,
  }
  writeStorage(placeKey(userId), place)
}

/** Removes the queue and the position; volume and settings stay. */
export function removeSavedPlayer(userId: string): void {
  void removeSavedQueue(userId)
  const place = readStorage(placeKey(userId), savedPlace)
  if (!place) return
  const { track_id: _forgotten, ...rest } = place
  const empty = { index: -1, position_seconds: 0, source: null, context: null, station: null }
  writeStorage(placeKey(userId), { ...rest, ...empty })
}

/** Removes the data that other accounts left on this device when their session ended. */
export function removeOtherSavedPlayers(userId: string): void {
  for (const key of listStorageKeys()) {
    if (key.startsWith(placePrefix) && key !== placeKey(userId)) {
      removeSavedPlayer(key.slice(placePrefix.length))
    }
  }
}

/** Marks a sign-out as deliberate for other windows of this browser, which detect only that the session ended. */
export function markSignedOut(userId: string): void {
  writeStorage(signedOutKey, userId)
}

export function wasSignedOut(userId: string): boolean {
  return readStorage(signedOutKey, z.string()) === userId
}

export function unmarkSignedOut(): void {
  removeStorage(signedOutKey)
}

/** Restores the saved player of this account; null when there is none or it is invalid. */
export async function restorePlayer(
  userId: string,
  isPremium: boolean,
): Promise<RestoredState | null> {
  const place = readStorage(placeKey(userId), savedPlace)
  if (!place) return null
  const { volume, muted, settings, source } = place
  const queue = await restoreQueue(userId, place)
  const track = currentEntry(queue)?.track
  const listener = { user_id: userId, is_premium: isPremium }
  const durationSeconds = track
    ? selectPlaybackSource({ ...initialPlayerState, listener }, track).durationSeconds
    : 0
  const isSame = track !== undefined && [track.id, undefined].includes(place.track_id)
  const position = isSame && place.position_seconds < durationSeconds ? place.position_seconds : 0
  return {
    queue,
    source,
    context: track ? place.context : null,
    station: track ? place.station : null,
    startSeconds: position,
    positionSeconds: position,
    durationSeconds,
    volume,
    muted,
    settings,
  }
}

async function restoreQueue(userId: string, place: z.infer<typeof savedPlace>): Promise<PlayQueue> {
  const { repeat } = place
  const saved = await readQueue(userId)
  const index = saved ? indexOf(saved.entries, place) : -1
  if (!saved || index < 0) return { ...emptyQueue, repeat }
  return { ...saved, index, repeat, next_entry_id: saved.entries.length + 1 }
}

/**
 * Index of the saved track, or -1. Position and queue may not match: a killed page may have saved only the position.
 */
function indexOf(entries: readonly QueueEntry[], place: z.infer<typeof savedPlace>): number {
  const { index, track_id } = place
  if (track_id === undefined) return index < entries.length ? index : -1
  if (entries[index]?.track.id === track_id) return index
  const found = entries.findIndex(({ track }) => track.id === track_id)
  return found >= 0 ? found : Math.min(index, entries.length - 1)
}
