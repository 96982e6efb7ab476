// Reads chunks of open objects, and caches segments that are requested repeatedly in bounded memory. A single listener
// who plays a track evicts nothing.
import { LRUCache } from 'lru-cache'
import type { Handle } from './stream-handles.ts'
import { createStreamMemory } from './stream-memory.ts'

/** Bytes of a segment. */
export const segmentBytes = 64 * 1024
/** Small ranges, as players request when they seek, are sent in one piece if there is memory for it. */
export const largestPieceBytes = 2 * segmentBytes
/** Number of segments whose reads are counted without caching them: 1 GiB of audio. */
const countedSegments = 16_384
/** The read at which a segment is cached: while there is room, and when it evicts another. */
const keptFrom = { withRoom: 2, whenFull: 8 }
/** After a synchronous read that was this slow because of the disk, all reads use the thread pool for a while. */
const slowReading = { ms: 2, avoidedForMs: 30_000 }
/** Files up to 64 GiB have ids that are exact as numbers. */
const segmentsPerHandle = 2 ** 20

/** Bytes in pooled memory. */
export interface Piece {
  bytes: Uint8Array[]
  /** Call it once, when the bytes are no longer needed: their memory is reused. */
  release(): void
}

interface Segment {
  memory: Buffer
  loans: number
  isKept: boolean
}

export class SegmentCache {
  readonly #maxBytes: number
  readonly #memories = createStreamMemory()
  #readsNowFromMs = 0
  #diskReadings = countDiskReadings()
  readonly #readings = new LRUCache<number, number>({ max: countedSegments })
  readonly #loading = new Map<number, { segment: Segment; done: Promise<void> }>()
  readonly #kept: LRUCache<number, Segment>

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#kept = new LRUCache<number, Segment>({
      maxSize: maxBytes,
      sizeCalculation: ({ memory }) => memory.byteLength,
      dispose: (segment) => {
        segment.isKept = false
        this.#recycle(segment)
      },
    })
  }

  /**
   * The bytes from `start` up to `end` in order, synchronously when all of them are cached. Uncached bytes are read in
   * the requested size, so that a small chunk takes little memory.
   */
  read(handle: Handle, start: number, end: number): Piece | Promise<Piece> {
    const first = Math.floor(start / segmentBytes)
    const last = Math.floor((end - 1) / segmentBytes)
    const segments: (Segment | undefined)[] = []
    const isFull = this.#kept.calculatedSize > this.#maxBytes - segmentBytes
    const threshold = isFull ? keptFrom.whenFull : keptFrom.withRoom
    let isWorthKeeping = true
    let wasRead = true
    for (let index = first; index <= last; index++) {
      const id = segmentId(handle, index)
      const segment = this.#kept.get(id)
      segments.push(segment)
      if (segment) continue
      const reading = this.#countReading(id, index * segmentBytes >= start)
      wasRead &&= reading.wasRead
      isWorthKeeping &&= reading.count >= threshold
    }
    if (!isWorthKeeping) return this.#readThrough(handle, start, end, wasRead)
    for (const segment of segments) if (segment) this.#lend(segment)
    if (isComplete(segments)) return this.#cutPiece(segments, start, end)
    const loads = segments.map((segment, i) => segment ?? this.#load(handle, first + i))
    return allOrGiveBack(loads, (segment) => this.#giveBack(segment)).then((whole) =>
      this.#cutPiece(whole, start, end),
    )
  }

  get keptBytes(): number {
    return this.#kept.calculatedSize
  }

  /** Frees the memory that was spare ever since the last call. */
  trim(): void {
    this.#memories.trim()
  }

  clear(): void {
    this.#kept.clear()
    this.#readings.clear()
    this.#memories.clear()
  }

  #lend(segment: Segment): Segment {
    segment.loans++
    return segment
  }

  #giveBack(segment: Segment): void {
    segment.loans--
    this.#recycle(segment)
  }

  #recycle({ memory, loans, isKept }: Segment): void {
    if (loans === 0 && !isKept) this.#memories.giveBack(memory)
  }

  /** Reads and caches a whole segment. Concurrent requests for it share one read. */
  async #load(handle: Handle, index: number): Promise<Segment> {
    const id = segmentId(handle, index)
    const running = this.#loading.get(id) ?? this.#startLoading(handle, index, id)
    const segment = this.#lend(running.segment)
    try {
      await running.done
      return segment
    } catch (error) {
      this.#giveBack(segment)
      throw error
    }
  }

  #startLoading(handle: Handle, index: number, id: number) {
    const start = index * segmentBytes
    const byteCount = Math.min(segmentBytes, handle.object.byteSize - start)
    const segment = this.#lend({ memory: this.#memories.take(byteCount), loans: 0, isKept: false })
    const done = readExactly(handle, segment.memory.subarray(0, byteCount), start)
      .then(() => {
        segment.isKept = true
        this.#kept.set(id, segment)
        // An evicted segment must be requested repeatedly again.
        this.#readings.delete(id)
      })
      .finally(() => {
        this.#loading.delete(id)
        this.#giveBack(segment)
      })
    const entry = { segment, done }
    this.#loading.set(id, entry)
    return entry
  }

  /** Only the read of a segment's first byte counts, so that one listener counts once. */
  #countReading(id: number, isItsStart: boolean): { count: number; wasRead: boolean } {
    const before = this.#readings.get(id) ?? 0
    if (!isItsStart) return { count: before, wasRead: before > 0 }
    this.#readings.set(id, before + 1)
    return { count: before + 1, wasRead: before > 0 }
  }

  /**
   * Reads exactly the requested bytes, past the cache. Recently read data is usually in the system's page cache;
   * copying it synchronously takes a quarter of the time of a read in the thread pool.
   */
  #readThrough(handle: Handle, start: number, end: number, wasRead: boolean) {
    const memory = this.#memories.take(end - start)
    const bytes = firstBytes(memory, end - start)
    const piece: Piece = { bytes: [bytes], release: () => this.#memories.giveBack(memory) }
    if (wasRead && this.#isReadNow(handle, bytes, start)) return piece
    return readExactly(handle, bytes, start).then(
      () => piece,
      (error: unknown) => {
        piece.release()
        throw error
      },
    )
  }

  /** Returns false on any failure; the asynchronous read then reports it. */
  #isReadNow({ object }: Handle, target: Uint8Array, start: number): boolean {
    const beganAt = performance.now()
    if (!object.readNow || beganAt < this.#readsNowFromMs) return false
    try {
      return object.readNow([target], start) === target.byteLength
    } catch {
      return false
    } finally {
      const endedAt = performance.now()
      if (endedAt - beganAt > slowReading.ms && this.#wasDiskRead()) {
        this.#readsNowFromMs = endedAt + slowReading.avoidedForMs
      }
    }
  }

  /** Whether the disk was read since the last call. Otherwise a slow read waited for a processor. */
  #wasDiskRead(): boolean {
    const before = this.#diskReadings
    this.#diskReadings = countDiskReadings()
    return this.#diskReadings > before
  }

  /** Returns the range's bytes as views of its segments, which are in use until the release. */
  #cutPiece(segments: Segment[], start: number, end: number): Piece {
    const base = Math.floor(start / segmentBytes) * segmentBytes
    const bytes = segments.map(({ memory }, i) => {
      const offset = base + i * segmentBytes
      return memory.subarray(Math.max(0, start - offset), Math.min(segmentBytes, end - offset))
    })
    const release = () => segments.forEach((segment) => this.#giveBack(segment))
    if (end - start >= segmentBytes) return { bytes, release }
    // A slow reader of small chunks must not keep a whole evicted segment in memory.
    const copy = this.#copyPiece(bytes, end - start)
    release()
    return copy
  }

  #copyPiece(bytes: Uint8Array[], byteCount: number): Piece {
    const memory = this.#memories.take(byteCount)
    let filled = 0
    for (const some of bytes) {
      memory.set(some, filled)
      filled += some.byteLength
    }
    return {
      bytes: [firstBytes(memory, byteCount)],
      release: () => this.#memories.giveBack(memory),
    }
  }
}

/** Blocks read by this process. */
const countDiskReadings = () => process.resourceUsage().fsRead

function segmentId(handle: Handle, index: number): number {
  return handle.id * segmentsPerHandle + index
}

const firstBytes = (memory: Buffer, count: number) =>
  memory.byteLength === count ? memory : memory.subarray(0, count)

function isComplete(segments: (Segment | undefined)[]): segments is Segment[] {
  return !segments.includes(undefined)
}

/** Waits for all; if one fails, releases the others. */
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

async function readExactly(handle: Handle, target: Uint8Array, start: number): Promise<void> {
  const count = await handle.object.read([target], start)
  if (count < target.byteLength)
    throw new Error(`The object ends at ${start + count}, before ${start + target.byteLength}`)
}
