// The player of one account as this browser keeps it over a reload: the queue, and the place in it.
// They are kept apart because the place changes all the time and the queue may hold 20,000 tracks.
// Whatever is read was possibly written by another version, so it is checked before it is used.
import * as z from 'zod/mini'
import { playerSettings } from './player-settings.ts'
import { playerTrack, type PlayerTrack } from './player-track.ts'
import {
  currentEntry,
  emptyQueue,
  repeatModes,
  type PlayQueue,
  type QueueEntry,
} from './play-queue.ts'
import { initialPlayerState, sourceFor, type PlayerState } from './player-store.ts'

// Compiled validators need eval, which the content security policy forbids and the console would report.
z.config({ jitless: true })

const savedPlace = z.object({
  index: z.int().check(z.minimum(-1)),
  position_seconds: z.number().check(z.minimum(0)),
  repeat: z.enum(repeatModes),
  source: z.nullable(z.string()),
  volume: z.number().check(z.minimum(0), z.maximum(100)),
  muted: z.boolean(),
  settings: playerSettings,
})

const savedQueue = z.object({
  /** One list per field of a track; a single value where all tracks agree. */
  columns: z.record(z.string(), z.unknown()),
  count: z.int().check(z.minimum(0)),
  /** Shuffled: for every place of the play order, the place in the original order. */
  order: z.nullable(z.array(z.int().check(z.minimum(0)))),
})
type SavedQueue = z.infer<typeof savedQueue>

type RestoredState = Pick<
  PlayerState,
  | 'queue'
  | 'source'
  | 'startSeconds'
  | 'positionSeconds'
  | 'durationSeconds'
  | 'volume'
  | 'muted'
  | 'settings'
>

/** When not even the compact form of a queue fits, this many tracks around the current one are kept. */
const keptWhenFull = 1000

const queueKey = (userId: string) => `velour-player-queue:${userId}`
const placeKey = (userId: string) => `velour-player-place:${userId}`

export function savePlace(userId: string, state: PlayerState): void {
  const place: z.infer<typeof savedPlace> = {
    index: state.queue.index,
    position_seconds: state.positionSeconds,
    repeat: state.queue.repeat,
    source: state.source,
    volume: state.volume,
    muted: state.muted,
    settings: state.settings,
  }
  write(placeKey(userId), place)
}

/** Call `savePlace` too: a queue that had to be cut has another place. */
export function saveQueue(userId: string, state: PlayerState): void {
  if (write(queueKey(userId), toSavedQueue(state.queue))) return
  const part = partAroundCurrent(state.queue)
  write(queueKey(userId), toSavedQueue(part))
  savePlace(userId, { ...state, queue: part })
}

export function forgetQueue(userId: string): void {
  localStorage.removeItem(queueKey(userId))
}

/** What was kept for this account; null when there is nothing, or nothing that can be used. */
export function restorePlayer(userId: string, isPremium: boolean): RestoredState | null {
  const place = read(placeKey(userId), savedPlace)
  if (!place) return null
  const { volume, muted, settings, source } = place
  const queue = restoreQueue(read(queueKey(userId), savedQueue), place)
  const track = currentEntry(queue)?.track
  const listener = { user_id: userId, is_premium: isPremium }
  const durationSeconds = track
    ? sourceFor({ ...initialPlayerState, listener }, track).durationSeconds
    : 0
  const position = track && place.position_seconds < durationSeconds ? place.position_seconds : 0
  return {
    queue,
    source,
    startSeconds: position,
    positionSeconds: position,
    durationSeconds,
    volume,
    muted,
    settings,
  }
}

function toSavedQueue({ entries, original }: PlayQueue): SavedQueue {
  const rows = original ?? entries
  const columns: Record<string, unknown> = {}
  for (const field of fields) {
    const values = rows.map(({ track }) => forStorage(track, field))
    columns[field] = values.every((value) => value === values[0]) ? values[0] : values
  }
  if (!original) return { columns, count: rows.length, order: null }
  const placeOf = new Map(original.map((entry, place) => [entry.entry_id, place]))
  const order = entries.map((entry) => placeOf.get(entry.entry_id) ?? 0)
  return { columns, count: rows.length, order }
}

const fields = Object.keys(playerTrack.shape) as (keyof PlayerTrack)[]

/** Addresses repeat the id of their track; a star stands for it. */
function forStorage(track: PlayerTrack, field: keyof PlayerTrack): unknown {
  const value = track[field]
  // The picture itself is in the browser's cache.
  if (field === 'cover_placeholder') return null
  const isOwnAddress = field === 'audio_url' || field === 'preview_url'
  return isOwnAddress && typeof value === 'string' ? value.replace(track.id, '*') : value
}

function restoreQueue(saved: SavedQueue | null, place: z.infer<typeof savedPlace>): PlayQueue {
  const { repeat, index } = place
  const nothing = { ...emptyQueue, repeat }
  const tracks = saved && restoreTracks(saved)
  if (!saved || !tracks || index < 0 || index >= tracks.length) return nothing
  const entries: QueueEntry[] = tracks.map((track, at) => ({ entry_id: at + 1, track }))
  const queue = { entries, index, original: null, repeat, next_entry_id: entries.length + 1 }
  if (!saved.order) return queue
  const shuffled = saved.order.map((at) => entries[at]).filter((entry) => entry !== undefined)
  const isWhole = shuffled.length === entries.length && new Set(shuffled).size === entries.length
  return isWhole ? { ...queue, entries: shuffled, original: entries } : nothing
}

function restoreTracks({ columns, count }: SavedQueue): PlayerTrack[] | null {
  if (!fields.every((field) => isColumn(columns[field], field, count))) return null
  return Array.from({ length: count }, (_, at) => {
    const row: Record<string, unknown> = {}
    for (const field of fields) {
      const column = columns[field]
      row[field] = Array.isArray(column) ? column[at] : column
    }
    const track = row as PlayerTrack
    const restoreUrl = (url: string) => url.replace('*', track.id)
    track.audio_url = restoreUrl(track.audio_url)
    track.preview_url = track.preview_url && restoreUrl(track.preview_url)
    return track
  })
}

/** Checked column by column: row by row takes ten times as long, which 20,000 tracks make felt. */
function isColumn(column: unknown, field: keyof PlayerTrack, count: number): boolean {
  const schema: z.ZodMiniType = playerTrack.shape[field]
  if (!Array.isArray(column)) return schema.safeParse(column).success
  return column.length === count && z.array(schema).safeParse(column).success
}

function partAroundCurrent(queue: PlayQueue): PlayQueue {
  const from = Math.max(0, queue.index - Math.floor(keptWhenFull / 4))
  const entries = queue.entries.slice(from, from + keptWhenFull)
  return { ...queue, entries, index: queue.index - from, original: null }
}

function read<Schema extends z.ZodMiniType>(key: string, schema: Schema): z.output<Schema> | null {
  try {
    const text = localStorage.getItem(key)
    if (text === null) return null
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    // Not JSON, or the browser forbids storage: as if nothing had been kept.
    return null
  }
}

/** False when it does not fit. */
function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
