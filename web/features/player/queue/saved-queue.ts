// The queue as saved in this browser across reloads. Tracks are written once, in blocks. The play order is stored
// separately, so that shuffling or moving one of 20,000 entries writes little. Invariant: the order is written last and
// names its blocks, so an incomplete write, or one mixed with another tab's, is never read.
import * as z from 'zod/mini'
import { keys, read, remove, write } from './browser-storage.ts'
import { cutIntoPieces } from './in-pieces.ts'
import type { QueueEntry } from './play-queue.ts'
import { playerTrack, type PlayerTrack } from './player-track.ts'

const place = z.int().check(z.minimum(0))

const savedOrder = z.object({
  /** Id of the blocks the order belongs to; another tab of the account has other ids. */
  blocks: z.string(),
  /** Number of tracks in each block. */
  sizes: z.array(place),
  /** Indexes into all tracks of all blocks, in play order. */
  order: z.array(place),
  /** The order before shuffling; null while shuffle is off. */
  original: z.nullable(z.array(place)),
})

export type SavedOrder = z.infer<typeof savedOrder>

const savedBlock = z.object({
  blocks: z.string(),
  count: place,
  /** One list per field of a track, or a single value if all tracks share it. */
  columns: z.record(z.string(), z.unknown()),
})

const orderPrefix = 'velour-player-queue:'
const orderKey = (userId: string) => `${orderPrefix}${userId}`
const blockKey = (userId: string, at: number) => `velour-player-tracks:${userId}:${at}`

/** Returns false when it does not fit. */
export function writeBlock(
  userId: string,
  at: number,
  blocks: string,
  tracks: readonly PlayerTrack[],
): boolean {
  const block: z.infer<typeof savedBlock> = {
    blocks,
    count: tracks.length,
    columns: toColumns(tracks),
  }
  return write(blockKey(userId, at), block)
}

/** Returns false when it does not fit. */
export function writeOrder(userId: string, order: SavedOrder): boolean {
  return write(orderKey(userId), order)
}

/** True when the saved order belongs to these blocks. */
export function isKept(userId: string, blocks: string): boolean {
  return read(orderKey(userId), z.object({ blocks: z.string() }))?.blocks === blocks
}

export function forgetQueue(userId: string): void {
  remove(orderKey(userId))
  let at = 0
  while (remove(blockKey(userId, at))) at += 1
}

/** Ids of the users whose queues are saved in this browser. */
export function usersWithQueue(): string[] {
  return keys()
    .filter((key) => key.startsWith(orderPrefix))
    .map((key) => key.slice(orderPrefix.length))
}

/** The tracks in play order, and in the original order while shuffled. */
export async function readQueue(
  userId: string,
): Promise<{ entries: QueueEntry[]; original: QueueEntry[] | null } | null> {
  const pause = cutIntoPieces()
  const saved = read(orderKey(userId), savedOrder)
  if (!saved) return null
  const kept: QueueEntry[] = []
  for (const [at, size] of saved.sizes.entries()) {
    await pause()
    const block = read(blockKey(userId, at), savedBlock)
    if (block?.blocks !== saved.blocks || block.count !== size) return null
    const tracks = restoreTracks(block)
    if (!tracks) return null
    for (const track of tracks) kept.push({ entry_id: kept.length + 1, track })
  }
  await pause()
  const entries = pick(kept, saved.order)
  if (!entries || !saved.original) return entries && { entries, original: null }
  await pause()
  const original = pick(kept, saved.original)
  if (!original) return null
  await pause()
  return haveSame(entries, original) ? { entries, original } : null
}

/** Null when the indexes are invalid or repeated. */
function pick(kept: readonly QueueEntry[], places: readonly number[]): QueueEntry[] | null {
  const picked = places.map((at) => kept[at]).filter((entry) => entry !== undefined)
  return new Set(picked).size === places.length ? picked : null
}

function haveSame(some: readonly QueueEntry[], others: readonly QueueEntry[]): boolean {
  const known = new Set(some)
  return known.size === others.length && others.every((entry) => known.has(entry))
}

function toColumns(tracks: readonly PlayerTrack[]): Record<string, unknown> {
  const columns: Record<string, unknown> = {}
  for (const field of fields) {
    const values = tracks.map((track) => forStorage(track, field))
    columns[field] = values.every((value) => value === values[0]) ? values[0] : values
  }
  return columns
}

const fields = Object.keys(playerTrack.shape) as (keyof PlayerTrack)[]

/** URLs contain the track's id; a star replaces it to save space. */
function forStorage(track: PlayerTrack, field: keyof PlayerTrack): unknown {
  // A list would be taken for a column.
  if (field === 'artists') return track.artists ? JSON.stringify(track.artists) : null
  const value = track[field]
  // The browser's HTTP cache has the image itself.
  if (field === 'cover_placeholder') return null
  const isOwnAddress = field === 'audio_url' || field === 'preview_url'
  return isOwnAddress && typeof value === 'string' ? value.replace(track.id, '*') : value
}

function restoreTracks({ columns, count }: z.infer<typeof savedBlock>): PlayerTrack[] | null {
  if (!fields.every((field) => isColumn(columns[field], field, count))) return null
  return Array.from({ length: count }, (_, at) => {
    const row: Record<string, unknown> = {}
    for (const field of fields) {
      const column = columns[field]
      row[field] = Array.isArray(column) ? column[at] : column
    }
    const track = { ...row, artists: readArtists(row['artists']) } as PlayerTrack
    if (!track.artists) delete track.artists
    const restoreUrl = (url: string) => url.replace('*', track.id)
    track.audio_url = restoreUrl(track.audio_url)
    track.preview_url = track.preview_url && restoreUrl(track.preview_url)
    return track
  })
}

function readArtists(saved: unknown): PlayerTrack['artists'] {
  if (typeof saved !== 'string') return undefined
  const read = playerTrack.shape.artists.safeParse(JSON.parse(saved))
  return read.success ? read.data : undefined
}

/** Validates whole columns: validating row by row takes ten times as long, noticeable with 20,000 tracks. */
function isColumn(column: unknown, field: keyof PlayerTrack, count: number): boolean {
  const schema: z.ZodMiniType =
    field === 'artists' ? z.optional(z.nullable(z.string())) : playerTrack.shape[field]
  if (!Array.isArray(column)) return schema.safeParse(column).success
  return column.length === count && z.array(schema).safeParse(column).success
}
