// The play queue as an immutable value: every function takes a queue and returns the next one. None of them depends on
// sound or screens. Invariant: `index` points at the current entry, or is -1 exactly when the queue is empty; entry ids
// are unique; while shuffled, `original` holds the same entries as `entries`.
import { toPlayerTrack, type PlayerTrack } from './player-track.ts'

export const repeatModes = ['off', 'all', 'one'] as const
export type RepeatMode = (typeof repeatModes)[number]

/** One entry of the queue. The same track may occur several times; the entry id distinguishes them. */
export interface QueueEntry {
  readonly entry_id: number
  readonly track: PlayerTrack
  /** Added by radio, not by the listener. */
  readonly by_radio?: true
}

export interface PlayQueue {
  /** The entries in the order in which they play. */
  readonly entries: readonly QueueEntry[]
  readonly index: number
  /** The entries in the order before shuffling; null while shuffle is off. */
  readonly original: readonly QueueEntry[] | null
  readonly repeat: RepeatMode
  readonly next_entry_id: number
}

/** Returns numbers from 0 up to, not including, 1. */
type Random = () => number

export const emptyQueue: PlayQueue = {
  entries: [],
  index: -1,
  original: null,
  repeat: 'off',
  next_entry_id: 1,
}

export function currentEntry(queue: PlayQueue): QueueEntry | undefined {
  return queue.entries[queue.index]
}

export function isShuffled(queue: PlayQueue): boolean {
  return queue.original !== null
}

/**
 * Starts a new list. Entry ids continue from `before`, so that an id is never reused in one session. If shuffled, the
 * track at `startIndex` comes first; if `startIndex` is absent, the first track is random too.
 */
export function startQueue(
  before: PlayQueue,
  tracks: readonly PlayerTrack[],
  options: { startIndex?: number; shuffle?: boolean; repeat?: RepeatMode; random?: Random } = {},
): PlayQueue {
  const repeat = options.repeat ?? before.repeat
  const [entries, next_entry_id] = makeEntries(before.next_entry_id, tracks)
  const startIndex = clamp(options.startIndex ?? 0, 0, entries.length - 1)
  const queue = { entries, index: startIndex, original: null, repeat, next_entry_id }
  if (!(options.shuffle ?? isShuffled(before))) return queue

  const first = options.startIndex === undefined ? [] : entries.slice(startIndex, startIndex + 1)
  const others = first.length > 0 ? entries.toSpliced(startIndex, 1) : entries
  const shuffled = [...first, ...shuffle(others, options.random)]
  return { ...queue, entries: shuffled, index: Math.min(0, entries.length - 1), original: entries }
}

/** Returns the queue after a track ends; null when playback stops. */
export function afterTrackEnd(queue: PlayQueue): PlayQueue | null {
  return queue.repeat === 'one' && queue.index >= 0 ? queue : afterNext(queue)
}

/**
 * The queue after the next button: leaves a repeated track, and wraps around a repeated list. Null when playback stops.
 */
export function afterNext(queue: PlayQueue): PlayQueue | null {
  const { entries, index, repeat } = queue
  if (index < entries.length - 1) return { ...queue, index: index + 1 }
  return repeat === 'off' || entries.length === 0 ? null : { ...queue, index: 0 }
}

/** Returns the queue after the previous button: wraps from the first track to the last. */
export function afterPrevious(queue: PlayQueue): PlayQueue | null {
  const { entries, index } = queue
  if (entries.length === 0) return null
  return { ...queue, index: index > 0 ? index - 1 : entries.length - 1 }
}

export function jumpTo(queue: PlayQueue, entryId: number): PlayQueue {
  const index = indexOf(queue.entries, entryId)
  return index < 0 ? queue : { ...queue, index }
}

export function cycleRepeat(queue: PlayQueue): PlayQueue {
  const following = { off: 'all', all: 'one', one: 'off' } as const
  return { ...queue, repeat: following[queue.repeat] }
}

/**
 * Turned on: creates one random order, in which the current entry keeps its position. Turned off: restores the original
 * order, with all entries that were added or removed in the meantime.
 */
export function toggleShuffle(queue: PlayQueue, random?: Random): PlayQueue {
  const current = currentEntry(queue)
  if (queue.original) {
    const index = current ? indexOf(queue.original, current.entry_id) : -1
    return { ...queue, entries: queue.original, index, original: null }
  }
  const others = queue.entries.filter((entry) => entry !== current)
  const shuffled = shuffle(others, random)
  const entries = current ? shuffled.toSpliced(queue.index, 0, current) : shuffled
  return { ...queue, entries, original: queue.entries }
}

/** Inserts tracks after the current one, in order. */
export function enqueueNext(queue: PlayQueue, tracks: readonly PlayerTrack[]): PlayQueue {
  const current = currentEntry(queue)
  if (!current) return startQueue(queue, tracks, { startIndex: 0 })
  const [added, next_entry_id] = makeEntries(queue.next_entry_id, tracks)
  const behindCurrent = (entries: readonly QueueEntry[]) => {
    const place = indexOf(entries, current.entry_id) + 1
    return [...entries.slice(0, place), ...added, ...entries.slice(place)]
  }
  return {
    ...queue,
    entries: behindCurrent(queue.entries),
    original: queue.original && behindCurrent(queue.original),
    next_entry_id,
  }
}

/** Appends tracks. */
export function enqueue(queue: PlayQueue, tracks: readonly PlayerTrack[]): PlayQueue {
  if (queue.entries.length === 0) return startQueue(queue, tracks, { startIndex: 0 })
  return append(queue, makeEntries(queue.next_entry_id, tracks))
}

/** Appends tracks that autoplay chose. */
export function enqueueRadio(queue: PlayQueue, tracks: readonly PlayerTrack[]): PlayQueue {
  const [added, next_entry_id] = makeEntries(queue.next_entry_id, tracks)
  return append(queue, [added.map((entry) => ({ ...entry, by_radio: true })), next_entry_id])
}

/** Removes tracks of autoplay after the current entry. */
export function dropRadio(queue: PlayQueue): PlayQueue {
  const dropped = new Set(queue.entries.slice(queue.index + 1).filter((entry) => entry.by_radio))
  if (dropped.size === 0) return queue
  const stays = (entry: QueueEntry) => !dropped.has(entry)
  return {
    ...queue,
    entries: queue.entries.filter(stays),
    original: queue.original && queue.original.filter(stays),
  }
}

function append(
  queue: PlayQueue,
  [added, next_entry_id]: readonly [readonly QueueEntry[], number],
): PlayQueue {
  return {
    ...queue,
    entries: queue.entries.concat(added),
    original: queue.original && queue.original.concat(added),
    next_entry_id,
  }
}

/**
 * Removes one entry. If it is the current one, the entry after it becomes current, or the one before it at the end of
 * the list.
 */
export function removeEntry(queue: PlayQueue, entryId: number): PlayQueue {
  const removedIndex = indexOf(queue.entries, entryId)
  if (removedIndex < 0) return queue
  const entries = queue.entries.toSpliced(removedIndex, 1)
  const index = removedIndex < queue.index ? queue.index - 1 : queue.index
  return {
    ...queue,
    entries,
    index: Math.min(index, entries.length - 1),
    original: queue.original && queue.original.filter((entry) => entry.entry_id !== entryId),
  }
}

/** Moves one entry to an index of the play order. The current track keeps playing. */
export function moveEntry(queue: PlayQueue, entryId: number, toIndex: number): PlayQueue {
  const from = indexOf(queue.entries, entryId)
  const moved = queue.entries[from]
  const current = currentEntry(queue)
  if (!moved || !current) return queue
  const to = clamp(toIndex, 0, queue.entries.length - 1)
  const entries = queue.entries.toSpliced(from, 1).toSpliced(to, 0, moved)
  return { ...queue, entries, index: indexOf(entries, current.entry_id) }
}

/** Moves one entry to directly after the current one. */
export function moveEntryNext(queue: PlayQueue, entryId: number): PlayQueue {
  const from = indexOf(queue.entries, entryId)
  if (from < 0 || from === queue.index) return queue
  return moveEntry(queue, entryId, from < queue.index ? queue.index : queue.index + 1)
}

/** Removes all entries except the current one. */
export function clearQueue(queue: PlayQueue): PlayQueue {
  const current = currentEntry(queue)
  const entries = current ? [current] : []
  return { ...queue, entries, index: entries.length - 1, original: queue.original && entries }
}

function makeEntries(
  firstId: number,
  tracks: readonly PlayerTrack[],
): [entries: readonly QueueEntry[], nextId: number] {
  const entries = tracks.map((track, at) => ({
    entry_id: firstId + at,
    track: toPlayerTrack(track),
  }))
  return [entries, firstId + tracks.length]
}

/** Fisher–Yates shuffle. */
function shuffle<Item>(items: readonly Item[], random: Random = Math.random): readonly Item[] {
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(random() * (last + 1))
    const item = shuffled[last] as Item
    shuffled[last] = shuffled[chosen] as Item
    shuffled[chosen] = item
  }
  return shuffled
}

function indexOf(entries: readonly QueueEntry[], entryId: number): number {
  return entries.findIndex((entry) => entry.entry_id === entryId)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
