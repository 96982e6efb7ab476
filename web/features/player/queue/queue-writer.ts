// Saves the queue of one account in steps short enough not to be noticed: new tracks in blocks, then the order.
// Invariant: if the page closes at any point, the saved queue is the last complete one, or none.
import type { PlayQueue, QueueEntry } from './play-queue.ts'
import { forgetQueue, isKept, writeBlock, writeOrder } from './saved-queue.ts'

/** A slow phone can write this many tracks within a frame. */
const blockSize = 250
/** If even the compact form of a queue doesn't fit, this many tracks around the current one are saved. */
const keptWhenFull = 1000

export class QueueWriter {
  readonly #userId: string
  #queue: PlayQueue | null = null
  #blocks = ''
  #sizes: number[] = []
  /** Index of each entry among the written tracks. */
  #places = new Map<QueueEntry, number>()
  #unwritten: QueueEntry[] = []
  #isPart = false
  #cutBefore = 0

  constructor(userId: string) {
    this.#userId = userId
  }

  /** True while steps remain. */
  get isBusy(): boolean {
    return this.#queue !== null
  }

  /** How many entries are missing before the saved part, if not all of them fit. */
  get cutBefore(): number {
    return this.#cutBefore
  }

  /** Sets the queue to save. Then call `step` until `isBusy` is false. */
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
      this.#startOver(queue)
    }
  }

  /** Writes one block of tracks or, at the end, the order. */
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
      by_radio: toPlaces(entries.filter((entry) => entry.by_radio)),
    })
  }

  /** Removes the old queue first: two long queues don't fit. */
  #startOver(queue: PlayQueue): void {
    forgetQueue(this.#userId)
    this.#blocks = Math.random().toString(36).slice(2)
    this.#sizes = []
    this.#places = new Map()
    this.#unwritten = [...queue.entries]
  }

  #beginWithPart(queue: PlayQueue): void {
    // Not even the part fits, or storage is forbidden.
    if (this.#isPart) return this.#giveUp()
    this.#isPart = true
    this.#cutBefore = Math.max(0, queue.index - Math.floor(keptWhenFull / 4))
    const entries = queue.entries.slice(this.#cutBefore, this.#cutBefore + keptWhenFull)
    this.#queue = { ...queue, entries, original: null }
    this.#startOver(this.#queue)
  }

  #giveUp(): void {
    forgetQueue(this.#userId)
    this.#queue = null
  }
}
