// Reads pieces of open objects, and keeps the segments that are asked for again and again in a bounded piece of
// memory: one listener going through a track pushes out nothing. All memory is lent and used again, so that a day of
// streaming needs no more of it than a minute.
import { LRUCache } from 'lru-cache'
import type { Handle } from './stream-handles.ts'

/** Bytes of a segment. Pieces end on its borders, so that one listener touches every segment once. */
export const segmentBytes = 64 * 1024
/** Segments whose readings are counted, though they are not kept: 1 GiB of audio. */
const countedSegments = 16_384
/** The reading from which on a segment is kept, while there is room and when it has to push out another. */
const keptFrom = { withRoom: 2, whenFull: 8 }
/** Leaves room for files of 64 GiB in an id that stays exact as a number. */
const segmentsPerHandle = 2 ** 20
/** Spare memory that is never given up: 8 MiB. */
const minSpare = 128

/** Bytes on loan. */
export interface Piece {
  bytes: Uint8Array[]
  /** Call it once, when the bytes are not needed any more: their memory may serve the next reading. */
  release(): void
}

export interface SegmentCache {
  /** The bytes from `start` up to `end` in order, without waiting when all of them are kept. */
  read(handle: Handle, start: number, end: number): Piece | Promise<Piece>
  readonly keptBytes: number
  /** Frees the memory that was spare ever since the last call. */
  trim(): void
  clear(): void
}

interface Segment {
  memory: Buffer
  loans: number
  isKept: boolean
}

export function createSegmentCache(maxBytes: number): SegmentCache {
  const spare: Buffer[] = []
  /** So many were not needed since the last trim. */
  let fewestSpare = 0
  const readings = new LRUCache<number, number>({ max: countedSegments })
  const loading = new Map<number, { segment: Segment; done: Promise<void> }>()
  const kept = new LRUCache<number, Segment>({
    maxSize: maxBytes,
    sizeCalculation: ({ memory }) => memory.byteLength,
    dispose: (segment) => {
      segment.isKept = false
      recycle(segment)
    },
  })

  function lend(segment: Segment): Segment {
    segment.loans++
    return segment
  }

  /** A segment that is on loan once. Only memory of the full size is worth using again. */
  function newSegment(byteSize: number): Segment {
    const reused = byteSize === segmentBytes ? spare.pop() : undefined
    fewestSpare = Math.min(fewestSpare, spare.length)
    const memory = reused ?? Buffer.allocUnsafeSlow(byteSize)
    return lend({ memory, loans: 0, isKept: false })
  }

  function giveBack(segment: Segment): void {
    segment.loans--
    recycle(segment)
  }

  function recycle({ memory, loans, isKept }: Segment): void {
    if (loans === 0 && !isKept && memory.byteLength === segmentBytes) spare.push(memory)
  }

  /** Reads a whole segment to keep it. Two listeners at one place wait for the same reading. */
  async function load(handle: Handle, index: number): Promise<Segment> {
    const id = segmentId(handle, index)
    const running = loading.get(id) ?? startLoading(handle, index, id)
    const segment = lend(running.segment)
    try {
      await running.done
      return segment
    } catch (error) {
      giveBack(segment)
      throw error
    }
  }

  function startLoading(handle: Handle, index: number, id: number) {
    const start = index * segmentBytes
    const segment = newSegment(Math.min(segmentBytes, handle.object.byteSize - start))
    const done = readExactly(handle, [segment.memory], start)
      .then(() => {
        segment.isKept = true
        kept.set(id, segment)
        // Pushed out, it has to earn its place anew.
        readings.delete(id)
      })
      .finally(() => {
        loading.delete(id)
        giveBack(segment)
      })
    const entry = { segment, done }
    loading.set(id, entry)
    return entry
  }

  function isReadOften(id: number, threshold: number): boolean {
    const count = (readings.get(id) ?? 0) + 1
    readings.set(id, count)
    return count >= threshold
  }

  /** Past the cache: what is asked for and no more. */
  async function readThrough(handle: Handle, start: number, end: number): Promise<Piece> {
    const segments: Segment[] = []
    const bytes: Uint8Array[] = []
    for (let position = start; position < end; position += segmentBytes) {
      const segment = newSegment(segmentBytes)
      segments.push(segment)
      bytes.push(segment.memory.subarray(0, end - position))
    }
    try {
      await readExactly(handle, bytes, start)
    } catch (error) {
      segments.forEach(giveBack)
      throw error
    }
    return { bytes, release: () => segments.forEach(giveBack) }
  }

  /** The bytes of a range out of its segments, which are all on loan. */
  function cutPiece(segments: Segment[], start: number, end: number): Piece {
    const base = Math.floor(start / segmentBytes) * segmentBytes
    const bytes = segments.map(({ memory }, i) => {
      const offset = base + i * segmentBytes
      return memory.subarray(Math.max(0, start - offset), end - offset)
    })
    return { bytes, release: () => segments.forEach(giveBack) }
  }

  return {
    read(handle, start, end) {
      const first = Math.floor(start / segmentBytes)
      const last = Math.floor((end - 1) / segmentBytes)
      const segments: (Segment | undefined)[] = []
      const isFull = kept.calculatedSize > maxBytes - segmentBytes
      const threshold = isFull ? keptFrom.whenFull : keptFrom.withRoom
      let isWorthKeeping = true
      for (let index = first; index <= last; index++) {
        const id = segmentId(handle, index)
        const segment = kept.get(id)
        segments.push(segment)
        if (!segment && !isReadOften(id, threshold)) isWorthKeeping = false
      }
      if (!isWorthKeeping) return readThrough(handle, start, end)
      for (const segment of segments) if (segment) lend(segment)
      if (isComplete(segments)) return cutPiece(segments, start, end)
      const loads = segments.map((segment, i) => segment ?? load(handle, first + i))
      return allOrGiveBack(loads, giveBack).then((whole) => cutPiece(whole, start, end))
    },
    get keptBytes() {
      return kept.calculatedSize
    },
    trim() {
      spare.length -= Math.min(fewestSpare, Math.max(0, spare.length - minSpare))
      fewestSpare = spare.length
    },
    clear() {
      kept.clear()
      readings.clear()
      spare.length = 0
    },
  }
}

function segmentId(handle: Handle, index: number): number {
  return handle.id * segmentsPerHandle + index
}

function isComplete(segments: (Segment | undefined)[]): segments is Segment[] {
  return !segments.includes(undefined)
}

/** Waits for all; when one fails, the others are given back. */
async function allOrGiveBack(
  loads: (Segment | Promise<Segment>)[],
  giveBack: (segment: Segment) => void,
): Promise<Segment[]> {
  const results = await Promise.allSettled(loads.map((load) => Promise.resolve(load)))
  const failure = results.find((result) => result.status === 'rejected')
  const segments = results.flatMap((result) =>
    result.status === 'fulfilled' ? [result.value] : [],
  )
  if (!failure) return segments
  segments.forEach(giveBack)
  throw failure.reason
}

async function readExactly(handle: Handle, targets: Uint8Array[], start: number): Promise<void> {
  const wanted = targets.reduce((sum, target) => sum + target.byteLength, 0)
  const count = await handle.object.read(targets, start)
  if (count < wanted)
    throw new Error(`The object ends at ${start + count}, before ${start + wanted}`)
}
