// Writes the queue of one account down step by step, each short enough that nobody notices: new tracks block
// by block, then the order. Invariant: whatever has been written when the page ends, what is read back is the
// last order that was finished, or nothing.
import type { PlayQueue, QueueEntry } from './play-queue.ts'
import { forgetQueue, isKept, writeBlock, writeOrder } from './saved-queue.ts'

/** So many tracks are written within a frame even by a slow phone. */
const blockSize = 250
/** When not even the compact form of a queue fits, this many tracks around the current one are kept. */
const keptWhenFull = 1000

export class QueueWriter {
  readonly #userId: string
  #queue: PlayQueue | null = null
  #blocks = ''
  #sizes: number[] = []
  /** Where each entry stands among the tracks that are written. */
  #places = new Map<QueueEntry, number>()
  #unwritten: QueueEntry[] = []
  #isPart = false
  #cutBefore = 0

  constructor(userId: string) {
    this.#userId = userId
  }

  /** True while steps are left. */
  get isBusy(): boolean {
    return this.#queue !== null
  }

  /** How many entries are missing in front of what is kept, where not all of them fit. */
  get cutBefore(): number {
    return this.#cutBefore
  }

  /** What is to be kept from now on; then take steps. */
  begin(queue: PlayQueue): void {
    this.#queue = queue
    this.#isPart = false
    this.#cutBefore = 0
    this.#unwritten = queue.entries.filter((entry) => !this.#places.has(entry))
    const isMostlyGone = this.#places.size > 2 * queue.entries.length + blockSize
    if (
      isMostlyGone ||
      this.#unwritten.length === queue.entries.length ||
      !isKept(this.#userId, this.#blocks)
    ) {
      this.#beginAnew(queue)
    }
  }

  /** Writes one block of tracks, or in the end the order. */
  step(): void {
    const queue = this.#queue
    if (!queue) return
    const entries = this.#unwritten.slice(0, blockSize)
    const isWritten = entries.length > 0 ? this.#writeBlock(entries) : this.#writeOrder(queue)
    if (!isWritten) this.#beginWithPart(queue)
    else if (entries.length > 0) this.#unwritten = this.#unwritten.slice(blockSize)
    else this.#queue = null
  }

  #writeBlock(entries: readonly QueueEntry[]): boolean {
    const tracks = entries.map(({ track }) => track)
    if (!writeBlock(this.#userId, this.#sizes.length, this.#blocks, tracks)) return false
    for (const entry of entries) this.#places.set(entry, this.#places.size)
    this.#sizes.push(entries.length)
    return true
  }

  #writeOrder({ entries, original }: PlayQueue): boolean {
    const toPlaces = (list: readonly QueueEntry[]) =>
      list.map((entry) => this.#places.get(entry) ?? 0)
    return writeOrder(this.#userId, {
      blocks: this.#blocks,
      sizes: this.#sizes,
      order: toPlaces(entries),
      original: original && toPlaces(original),
    })
  }

  /** What was kept makes room first: two long queues do not fit. */
  #beginAnew(queue: PlayQueue): void {
    forgetQueue(this.#userId)
    this.#blocks = Math.random().toString(36).slice(2)
    this.#sizes = []
    this.#places = new Map()
    this.#unwritten = [...queue.entries]
  }

  #beginWithPart(queue: PlayQueue): void {
    // Not even that fits, or the browser forbids storage.
    if (this.#isPart) return this.#giveUp()
    this.#isPart = true
    this.#cutBefore = Math.max(0, queue.index - Math.floor(keptWhenFull / 4))
    const entries = queue.entries.slice(this.#cutBefore, this.#cutBefore + keptWhenFull)
    this.#queue = { ...queue, entries, original: null }
    this.#beginAnew(this.#queue)
  }

  #giveUp(): void {
    forgetQueue(this.#userId)
    this.#queue = null
  }
}
