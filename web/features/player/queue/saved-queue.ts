// The queue as saved in this browser across reloads: one record per account in IndexedDB, where 20,000 tracks fit.
// Storage may be full or forbidden; the queue is then not restored.
import * as z from 'zod/mini'
import { createDatabase } from '../../../base/browser/indexed-db.ts'
import { cutIntoPieces } from './in-pieces.ts'
import { forgetEarlierQueue, readEarlierQueue } from './earlier-saved-queue.ts'
import type { PlayQueue, QueueEntry } from './play-queue.ts'
import { playerTrack } from './player-track.ts'

const savedQueue = z.object({
  /** In play order. Another version of the app may have written them, so each is validated when read. */
  tracks: z.array(z.unknown()),
  /** The order before shuffling, as indexes of `tracks`; null while shuffle is off. */
  original: z.nullable(z.array(z.int())),
  /** Indexes of the tracks that radio added. */
  by_radio: z.optional(z.array(z.int())),
})
type SavedQueue = z.infer<typeof savedQueue>

/** Validated at once. A slow phone does this within a frame. */
const blockSize = 250

const { run } = createDatabase('velour-player', ['queues'])

export async function saveQueue(userId: string, queue: PlayQueue): Promise<void> {
  const { entries, original } = queue
  const places = new Map(entries.map((entry, place) => [entry, place]))
  await writeRecord(userId, {
    tracks: entries.map(({ track }) => track),
    original: original && original.map((entry) => places.get(entry) ?? -1),
    by_radio: entries.flatMap((entry, place) => (entry.by_radio ? [place] : [])),
  }).catch(() => forgetQueue(userId))
}

export async function forgetQueue(userId: string): Promise<void> {
  forgetEarlierQueue(userId)
  await run('queues', 'readwrite', (store) => commit(store, store.delete(userId))).catch(() => {})
}

/** The tracks in play order, and in the original order while shuffled. */
export async function readQueue(
  userId: string,
): Promise<{ entries: QueueEntry[]; original: QueueEntry[] | null } | null> {
  const record = (await moveEarlierQueue(userId)) ?? (await readRecord(userId))
  const saved = savedQueue.safeParse(record).data
  if (!saved) return null
  const entries = await readTracks(saved.tracks, new Set(saved.by_radio))
  if (!entries || !saved.original) return entries && { entries, original: null }
  const original = saved.original.flatMap((place) => entries[place] ?? [])
  const isComplete = original.length === entries.length && new Set(original).size === entries.length
  return isComplete ? { entries, original } : null
}

function readRecord(userId: string): Promise<unknown> {
  return run('queues', 'readonly', (store) => store.get(userId)).catch(() => null)
}

async function writeRecord(userId: string, record: SavedQueue): Promise<void> {
  await run('queues', 'readwrite', (store) => commit(store, store.put(record, userId)))
}

/** Commits explicitly: a page that is closing gets no more events, so a transaction would not complete by itself. */
function commit<Result>(store: IDBObjectStore, request: IDBRequest<Result>): IDBRequest<Result> {
  store.transaction.commit()
  return request
}

/** A queue in localStorage is newer than the record: only a window with the previous version can have written it. */
async function moveEarlierQueue(userId: string): Promise<SavedQueue | null> {
  const earlier = readEarlierQueue(userId)
  if (earlier) {
    // If it can't be written, it stays where it is for the next time.
    const forget = () => forgetEarlierQueue(userId)
    await writeRecord(userId, earlier).then(forget, () => {})
  }
  return earlier
}

/** Null when one of them is invalid. */
async function readTracks(
  tracks: readonly unknown[],
  byRadio: ReadonlySet<number>,
): Promise<QueueEntry[] | null> {
  const pause = cutIntoPieces()
  const entries: QueueEntry[] = []
  for (let at = 0; at < tracks.length; at += blockSize) {
    const block = z.array(playerTrack).safeParse(tracks.slice(at, at + blockSize)).data
    if (!block) return null
    for (const track of block) {
      const mark = byRadio.has(entries.length) && { by_radio: true as const }
      entries.push({ entry_id: entries.length + 1, track, ...mark })
    }
    await pause()
  }
  return entries
}
