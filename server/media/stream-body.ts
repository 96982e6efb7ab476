// Writes the bytes of an answer at the pace at which they are taken. One piece at a time is in memory: the next one is
// read when the kernel has the last one whole, and whoever is gone stops the reading at once.
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ByteRange } from './byte-range.ts'
import type { Handle } from './stream-handles.ts'
import { segmentBytes, type SegmentCache } from './stream-segments.ts'

/** A piece of the file, with the bytes that stand before it in an answer of several parts. */
export interface BodyPart extends ByteRange {
  prefix?: Uint8Array
}

/** Small ranges, as players ask for when they seek, go out in one piece. */
const firstPieceBytes = 2 * segmentBytes
/** A connection that takes nothing for so long is given up; players that were paused come back with a range. */
const stallMs = 5 * 60_000
/** What was written already may still arrive when the server stops. */
const cutGraceMs = 1000

export interface Sending {
  /** Resolves when everything was taken, or nothing more will be. Rejects when the object cannot be read. */
  done: Promise<void>
  /** Ends the answer early: no new bytes, and the connection is closed after those that were written. */
  cut(): void
}

/**
 * Sends the head, which `writeHead` writes, and the parts of the body. Nothing is written before the first piece was
 * read, so that a failure until then can still become an error answer.
 */
export function sendBody(
  res: ServerResponse,
  source: { handle: Handle; cache: SegmentCache },
  parts: readonly BodyPart[],
  writeHead: () => void,
  suffix?: Uint8Array,
): Sending {
  let isCut = false
  let wake = () => {}
  const isOver = () => isCut || res.destroyed

  async function run(): Promise<void> {
    let isFirst = true
    for (const part of parts) {
      for (let position = part.start; position < part.end;) {
        const end = pieceEnd(part, position, isFirst)
        const piece = await source.cache.read(source.handle, position, end)
        if (isOver()) return piece.release()
        const isLast = end === part.end && part === parts.at(-1)
        res.cork()
        if (isFirst) writeHead()
        if (position === part.start && part.prefix) res.write(part.prefix)
        const taken = writeAll(piece.bytes)
        if (isLast) res.end(suffix)
        res.uncork()
        await taken
        // Cut short, the kernel may still be reading from these buffers: they are not to be used again.
        if (!isCut) piece.release()
        if (isLast || isOver()) return
        // A reader as fast as memory must not keep the others waiting.
        await nextTurn()
        isFirst = false
        position = end
      }
    }
  }

  /** Settles when the kernel has taken the last byte, or the connection is gone. */
  function writeAll(pieces: Uint8Array[]): Promise<void> {
    return new Promise((resolve) => {
      const stall = setTimeout(() => res.destroy(), stallMs)
      wake = () => {
        clearTimeout(stall)
        res.off('close', wake)
        resolve()
      }
      res.on('close', wake)
      for (const piece of pieces) res.write(piece, piece === pieces.at(-1) ? wake : undefined)
    })
  }

  return {
    done: run().finally(() => {
      if (isCut) closeAfterWritten(res)
    }),
    cut() {
      isCut = true
      wake()
    },
  }
}

function pieceEnd(part: ByteRange, position: number, isFirst: boolean): number {
  if (isFirst && part.end - position <= firstPieceBytes) return part.end
  return Math.min(part.end, (Math.floor(position / segmentBytes) + 1) * segmentBytes)
}

function closeAfterWritten(res: ServerResponse): void {
  if (res.writableFinished) return
  res.socket?.destroySoon()
  const giveUp = setTimeout(() => res.destroy(), cutGraceMs)
  res.on('close', () => clearTimeout(giveUp))
}
