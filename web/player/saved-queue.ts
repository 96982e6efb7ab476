// The queue as this browser keeps it over a reload. Tracks stand in blocks that are written once and then
// stay; which of them play in which order stands apart, so that shuffling or moving one of 20,000 writes
// little. Invariant: the order is written last and names the blocks it belongs to, so that what was not
// finished, or was mixed up by another tab, is not read.
import * as z from 'zod/mini'
import { keys, read, remove, write } from './browser-storage.ts'
import { cutIntoPieces } from './in-pieces.ts'
import type { QueueEntry } from './play-queue.ts'
import { playerTrack, type PlayerTrack } from './player-track.ts'

const place = z.int().check(z.minimum(0))

const savedOrder = z.object({
  /** Of these blocks; another tab of the account has others. */
  blocks: z.string(),
  /** Tracks in each block. */
  sizes: z.array(place),
  /** Places among all tracks of all blocks, in the order in which they play. */
  order: z.array(place),
  /** The order before shuffling; null while shuffle is off. */
  original: z.nullable(z.array(place)),
})

export type SavedOrder = z.infer<typeof savedOrder>

const savedBlock = z.object({
  blocks: z.string(),
  count: place,
  /** One list per field of a track; a single value where all tracks agree. */
  columns: z.record(z.string(), z.unknown()),
})

const orderPrefix = 'velour-player-queue:'
const orderKey = (userId: string) => `${orderPrefix}${userId}`
const blockKey = (userId: string, at: number) => `velour-player-tracks:${userId}:${at}`

/** False when it does not fit. */
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

/** False when it does not fit. */
export function writeOrder(userId: string, order: SavedOrder): boolean {
  return write(orderKey(userId), order)
}

/** Whether what is kept is of these blocks. */
export function isKept(userId: string, blocks: string): boolean {
  return read(orderKey(userId), z.object({ blocks: z.string() }))?.blocks === blocks
}

export function forgetQueue(userId: string): void {
  remove(orderKey(userId))
  let at = 0
  while (remove(blockKey(userId, at))) at += 1
}

/** Whose queues this browser keeps. */
export function usersWithQueue(): string[] {
  return keys()
    .filter((key) => key.startsWith(orderPrefix))
    .map((key) => key.slice(orderPrefix.length))
}

/** The tracks in the order in which they play, and in the original one while shuffled. */
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

/** Null when that is no order. */
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

/** Addresses repeat the id of their track; a star stands for it. */
function forStorage(track: PlayerTrack, field: keyof PlayerTrack): unknown {
  const value = track[field]
  // The picture itself is in the browser's cache.
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
