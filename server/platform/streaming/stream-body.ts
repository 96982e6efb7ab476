// All running responses. Each holds one chunk in memory, and all chunks together are bounded: the more responses, the
// smaller the chunks.
import { largestPieceBytes, type SegmentCache } from './stream-segments.ts'
import { type Body, Sending } from './stream-sending.ts'
import { createTurns } from './stream-turns.ts'

export interface BodySender {
  /** Resolves when everything was sent or the connection is gone. Rejects when the object cannot be read. */
  send(body: Body): Promise<void>
  readonly activeCount: number
  /** Call it every minute. Closes connections that have accepted nothing for five minutes. */
  giveUpStalled(): void
  /** Ends all responses early: connections are closed after the bytes that were written. */
  cutAll(): Promise<void>
}

/** Limit of all pieces together, until each has the smallest size. */
export const piecesBytes = 16 * 1024 * 1024
const smallestPieceBytes = 8 * 1024

export function createBodySender(cache: SegmentCache): BodySender {
  const active = new Set<Sending>()
  const turns = createTurns()
  const pieceBytes = () => {
    let size = largestPieceBytes
    while (size > smallestPieceBytes && size * active.size > piecesBytes) size /= 2
    return size
  }
  return {
    async send(body) {
      const sending = new Sending(body, { cache, turns, pieceBytes })
      active.add(sending)
      try {
        await sending.done
      } finally {
        active.delete(sending)
      }
    },
    get activeCount() {
      return active.size
    },
    giveUpStalled() {
      for (const sending of active) sending.giveUpIfStalled()
    },
    async cutAll() {
      const running = [...active]
      for (const sending of running) sending.cut()
      await Promise.allSettled(running.map(({ done }) => done))
    },
  }
}
