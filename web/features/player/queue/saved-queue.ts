// The queue as saved in this browser across reloads: in IndexedDB, where 20,000 tracks fit. The tracks are in blocks,
// because the browser decodes a whole record in one task. Storage may be full or forbidden; the queue is then not
// restored.
import * as z from 'zod/mini'
import { createDatabase, done } from '../../../base/browser/indexed-db.ts'
import { cutIntoPieces } from './in-pieces.ts'
import { removeEarlierSavedQueue, readEarlierQueue } from './earlier-saved-queue.ts'
import type { PlayQueue, QueueEntry } from './play-queue.ts'
import { savedTrack } from './saved-track.ts'

/** The record of an account. Its blocks of tracks have the keys `[userId, index]`. */
const savedQueue = z.object({
  /** Number of blocks. Absent in an earlier format, which stored all tracks in `tracks`. */
  block_count: z.optional(z.int()),
  /** In play order. Another version of the app may have written them, so each is validated when read. */
  tracks: z.optional(z.array(z.unknown())),
  /** The order before shuffling, as indexes of the tracks; null while shuffle is off. */
  original: z.nullable(z.array(z.int())),
  /** Indexes of the tracks that radio added. */
  by_radio: z.optional(z.array(z.int())),
})
type SavedQueue = z.infer<typeof savedQueue>

/** The number of tracks that a slow phone decodes or validates within a frame. */
const blockSize = 250

const { open } = createDatabase('velour-player', ['queues'])

export async function saveQueue(userId: string, queue: PlayQueue): Promise<void> {
  const { entries, original } = queue
  const places = new Map(entries.map((entry, place) => [entry, place]))
  await writeQueue(userId, {
    tracks: entries.map(({ track }) => track),
    original: original && original.map((entry) => places.get(entry) ?? -1),
    by_radio: entries.flatMap((entry, place) => (entry.by_radio ? [place] : [])),
  }).catch(() => removeSavedQueue(userId))
}

export async function removeSavedQueue(userId: string): Promise<void> {
  removeEarlierSavedQueue(userId)
  await write((store) => {
    store.delete(userId)
    store.delete(getBlockRange(userId))
  }).catch(() => {})
}

/** Reads the saved queue: the tracks in play order and, while shuffled, in the original order. */
export async function readQueue(
  userId: string,
): Promise<{ entries: QueueEntry[]; original: QueueEntry[] | null } | null> {
  const earlier = await moveEarlierQueue(userId)
  const read = earlier
    ? { record: earlier, blocks: [] }
    : await readRecords(userId).catch(() => null)
  const saved = savedQueue.safeParse(read?.record).data
  if (!read || !saved) return null
  const blocks = saved.tracks ? cutIntoBlocks(saved.tracks) : read.blocks
  const entries = await readTracks(blocks, new Set(saved.by_radio))
  if (!entries || !saved.original) return entries && { entries, original: null }
  const original = saved.original.flatMap((place) => entries[place] ?? [])
  const isComplete = original.length === entries.length && new Set(original).size === entries.length
  return isComplete ? { entries, original } : null
}

function getBlockRange(userId: string): IDBKeyRange {
  return IDBKeyRange.bound([userId], [userId, []])
}

function cutIntoBlocks(tracks: readonly unknown[]): unknown[][] {
  const count = Math.ceil(tracks.length / blockSize)
  return Array.from({ length: count }, (_, at) =>
    tracks.slice(at * blockSize, (at + 1) * blockSize),
  )
}

/** Reads the record and the blocks of an account. The browser delivers the blocks one by one, each in its own task. */
async function readRecords(userId: string): Promise<{ record: unknown; blocks: unknown[][] }> {
  const store = (await open()).transaction('queues', 'readonly').objectStore('queues')
  const record = await waitForResult(store.get(userId))
  const count = savedQueue.safeParse(record).data?.block_count ?? 0
  const blocks = await Promise.all(
    Array.from({ length: count }, (_, at) => waitForResult(store.get([userId, at]))),
  )
  return { record, blocks: blocks.map((block) => (Array.isArray(block) ? block : [null])) }
}

function waitForResult<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('Reading failed')))
  })
}

async function writeQueue(userId: string, queue: SavedQueue): Promise<void> {
  const { tracks = [], ...rest } = queue
  const blocks = cutIntoBlocks(tracks)
  await write((store) => {
    store.delete(getBlockRange(userId))
    for (const [at, block] of blocks.entries()) store.put(block, [userId, at])
    store.put({ ...rest, block_count: blocks.length }, userId)
  })
}

/**
 * Commit explicitly: a page that is closing receives no more events, so the transaction would not complete
 * automatically.
 */
async function write(act: (store: IDBObjectStore) => void): Promise<void> {
  const transaction = (await open()).transaction('queues', 'readwrite')
  act(transaction.objectStore('queues'))
  transaction.commit()
  await done(transaction)
}

/** A queue in localStorage is newer than the record: only a window with the previous version can have written it. */
async function moveEarlierQueue(userId: string): Promise<SavedQueue | null> {
  const earlier = readEarlierQueue(userId)
  if (earlier) {
    // If the write fails, the queue stays in localStorage for the next attempt.
    const removeEarlier = () => removeEarlierSavedQueue(userId)
    await writeQueue(userId, earlier).then(removeEarlier, () => {})
  }
  return earlier
}

/** Validates the stored tracks. Returns null if one of them is invalid. */
async function readTracks(
  blocks: readonly unknown[][],
  byRadio: ReadonlySet<number>,
): Promise<QueueEntry[] | null> {
  const pause = cutIntoPieces()
  const entries: QueueEntry[] = []
  for (const saved of blocks) {
    const block = z.array(savedTrack).safeParse(saved).data
    if (!block) return null
    for (const track of block) {
      const mark = byRadio.has(entries.length) && { by_radio: true as const }
      entries.push({ entry_id: entries.length + 1, track, ...mark })
    }
    await pause()
  }
  return entries
}
