// One account's player, saved in this browser across reloads: the position and settings. The queue is saved separately,
// because the position changes all the time and a queue may hold 20,000 tracks.
import * as z from 'zod/mini'
import { read, remove, write } from '../queue/browser-storage.ts'
import { playerSettings } from '../queue/player-settings.ts'
import { currentEntry, emptyQueue, repeatModes, type PlayQueue } from '../queue/play-queue.ts'
import { initialPlayerState, sourceFor, type PlayerState } from './player-store.ts'
import { forgetQueue, readQueue, usersWithQueue } from '../queue/saved-queue.ts'
import { station } from '../queue/station.ts'

const savedPlace = z.object({
  index: z.int().check(z.minimum(-1)),
  position_seconds: z.number().check(z.minimum(0)),
  repeat: z.enum(repeatModes),
  source: z.nullable(z.string()),
  /** Older versions save none. */
  station: z._default(z.nullable(station), null),
  volume: z.number().check(z.minimum(0), z.maximum(100)),
  muted: z.boolean(),
  settings: playerSettings,
})

type RestoredState = Pick<
  PlayerState,
  | 'queue'
  | 'source'
  | 'station'
  | 'startSeconds'
  | 'positionSeconds'
  | 'durationSeconds'
  | 'volume'
  | 'muted'
  | 'settings'
>

/** The user who last signed out on this device deliberately. */
const signedOutKey = 'velour-player-signed-out'
const placeKey = (userId: string) => `velour-player-place:${userId}`

/** @param cutBefore number of entries missing before the saved part of the queue */
export function savePlace(userId: string, state: PlayerState, cutBefore = 0): void {
  const place: z.infer<typeof savedPlace> = {
    index: Math.max(state.queue.index - cutBefore, -1),
    position_seconds: state.positionSeconds,
    repeat: state.queue.repeat,
    source: state.source,
    station: state.station,
    volume: state.volume,
    muted: state.muted,
    settings: state.settings,
  }
  write(placeKey(userId), place)
}

/** Removes the queue and the position; volume and settings stay. */
export function forgetPlayer(userId: string): void {
  forgetQueue(userId)
  const place = read(placeKey(userId), savedPlace)
  if (place)
    write(placeKey(userId), {
      ...place,
      index: -1,
      position_seconds: 0,
      source: null,
      station: null,
    })
}

/** Removes what other accounts left on this device when their session ended. */
export function forgetOtherPlayers(userId: string): void {
  for (const other of usersWithQueue()) if (other !== userId) forgetPlayer(other)
}

/** For other windows of this browser, which see only that the session ended. */
export function markSignedOut(userId: string): void {
  write(signedOutKey, userId)
}

export function wasSignedOut(userId: string): boolean {
  return read(signedOutKey, z.string()) === userId
}

export function unmarkSignedOut(): void {
  remove(signedOutKey)
}

/** The saved player of this account; null when there is none or it is invalid. */
export async function restorePlayer(
  userId: string,
  isPremium: boolean,
): Promise<RestoredState | null> {
  const place = read(placeKey(userId), savedPlace)
  if (!place) return null
  const { volume, muted, settings, source } = place
  const queue = await restoreQueue(userId, place)
  const track = currentEntry(queue)?.track
  const listener = { user_id: userId, is_premium: isPremium }
  const durationSeconds = track
    ? sourceFor({ ...initialPlayerState, listener }, track).durationSeconds
    : 0
  const position = track && place.position_seconds < durationSeconds ? place.position_seconds : 0
  return {
    queue,
    source,
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
  const { repeat, index } = place
  const saved = await readQueue(userId)
  if (!saved || index < 0 || index >= saved.entries.length) return { ...emptyQueue, repeat }
  const next_entry_id = saved.entries.reduce((most, entry) => Math.max(most, entry.entry_id), 0) + 1
  return { ...saved, index, repeat, next_entry_id }
}
