// One running response: one chunk after the other, each read when the kernel has taken the one before. Uses callbacks
// instead of promises, because there are thousands of responses with thousands of chunks each.
import type { ServerResponse } from 'node:http'
import type { ByteRange } from './byte-range.ts'
import type { Handle } from './stream-handles.ts'
import { type Piece, segmentBytes, type SegmentCache } from './stream-segments.ts'
import type { Turn, Turns } from './stream-turns.ts'

/** A part of the file. In a multipart response, `head` precedes it. */
export interface BodyPart extends ByteRange {
  prefix?: Uint8Array
}

/** The content of a response. */
export interface Body {
  res: ServerResponse
  handle: Handle
  parts: readonly BodyPart[]
  suffix?: Uint8Array | undefined
  /** Called when the first piece was read. A failure before that can still become an error response. */
  writeHead: () => void
  /** Called with the size of each piece that the kernel has accepted. */
  onSent?: ((bytes: number) => void) | undefined
}

/** Shared by all responses. */
export interface Outlet {
  cache: SegmentCache
  turns: Turns
  /** The current limit of a piece's size. */
  pieceBytes: () => number
}

/** A response is urgent until it has sent eight seconds of high quality, and twice the audio played since. */
const enough = { bytes: 256 * 1024, bytesPerMs: 64 }
const stalledCalls = 5
/** At shutdown, time for bytes that were written already. */
const cutGraceMs = 1000

export class Sending implements Turn {
  private readonly body: Body
  private readonly outlet: Outlet
  private readonly settled = Promise.withResolvers<void>()
  private part: BodyPart
  private partIndex = 0
  private position: number
  private pieceEnd = 0
  /** The piece that the kernel has not fully accepted. */
  private piece: Piece | null = null
  private sentBytes = 0
  private readonly beganAt = performance.now()
  private isCut = false
  /** Waits for its turn or for a read. */
  private isBusy = true
  private seenPosition = -1
  private seenCalls = 0

  constructor(body: Body, outlet: Outlet) {
    this.body = body
    this.outlet = outlet
    this.part = body.parts[0]!
    this.position = this.part.start
    body.res.on('close', this.takenOrGone)
    outlet.turns.take(this, true)
  }

  /** Resolves when everything was sent or the connection is gone. Rejects when the object cannot be read. */
  get done(): Promise<void> {
    return this.settled.promise
  }

  start(): void {
    this.pieceEnd = this.findPieceEnd()
    const { handle } = this.body
    const piece = this.isOver()
      ? noPiece
      : this.outlet.cache.read(handle, this.position, this.pieceEnd)
    if (piece instanceof Promise) piece.then(this.handOver, this.breakOff)
    else this.handOver(piece)
  }

  /** Ends the response early: the connection is closed after the bytes that were written. */
  cut(): void {
    this.isCut = true
    this.takenOrGone()
  }

  /** Called periodically. Closes the connection if nothing was accepted since the last call. */
  giveUpIfStalled(): void {
    if (this.position !== this.seenPosition) this.seenCalls = 0
    this.seenPosition = this.position
    if (++this.seenCalls > stalledCalls) this.body.res.destroy()
  }

  private readonly handOver = (piece: Piece): void => {
    this.outlet.turns.end()
    this.isBusy = false
    if (this.isOver()) {
      piece.release()
      return this.finish()
    }
    this.piece = piece
    try {
      this.write(piece.bytes)
    } catch (error) {
      this.finish(error)
    }
  }

  private readonly breakOff = (error: unknown): void => {
    this.outlet.turns.end()
    this.finish(error)
  }

  private write(bytes: Uint8Array[]): void {
    const { res, suffix, writeHead } = this.body
    const last = bytes.length - 1
    const prefix = this.position === this.part.start ? this.part.prefix : undefined
    // A single buffer needs no corking.
    const isAlone = this.sentBytes > 0 && !prefix && last === 0 && !this.isLastPiece()
    if (isAlone) return void res.write(bytes[0], this.takenOrGone)
    res.cork()
    if (this.sentBytes === 0) writeHead()
    if (prefix) res.write(prefix)
    for (let i = 0; i < last; i++) res.write(bytes[i])
    res.write(bytes[last], this.takenOrGone)
    if (this.isLastPiece()) res.end(suffix)
    res.uncork()
  }

  /** The kernel has accepted the last byte of the piece, or the connection is closed. */
  private readonly takenOrGone = (): void => {
    const { piece } = this
    // A response that is reading checks this afterwards.
    if (this.isBusy || !piece) return
    this.piece = null
    // After an abort the kernel may still read from this buffer, so it must not be reused.
    if (!this.isCut) piece.release()
    if (!this.body.res.destroyed) this.body.onSent?.(this.pieceEnd - this.position)
    if (this.isOver() || this.isLastPiece()) return this.finish()
    this.goOn()
  }

  private goOn(): void {
    this.sentBytes += this.pieceEnd - this.position
    this.position = this.pieceEnd
    if (this.position === this.part.end) {
      this.part = this.body.parts[++this.partIndex]!
      this.position = this.part.start
    }
    this.isBusy = true
    // A very fast reader must not starve the others.
    this.outlet.turns.take(this, !this.hasEnough())
  }

  private finish(error?: unknown): void {
    const { res } = this.body
    res.off('close', this.takenOrGone)
    if (this.isCut) closeAfterWritten(res)
    if (error === undefined) this.settled.resolve()
    else this.settled.reject(error)
  }

  private hasEnough(): boolean {
    const passedMs = performance.now() - this.beganAt
    return this.sentBytes > enough.bytes + passedMs * enough.bytesPerMs
  }

  private isOver(): boolean {
    return this.isCut || this.body.res.destroyed
  }

  private isLastPiece(): boolean {
    return this.pieceEnd === this.part.end && this.partIndex === this.body.parts.length - 1
  }

  /** Pieces end at segment boundaries. The first is never tiny, and a small range is sent in one piece. */
  private findPieceEnd(): number {
    const { position, part } = this
    const size = Math.max(this.outlet.pieceBytes(), this.body.handle.object.leastReadBytes)
    if (this.sentBytes === 0 && part.end - position <= size) return part.end
    const step = Math.min(size, segmentBytes)
    const steps = Math.floor(position / step) + (this.sentBytes === 0 ? 2 : 1)
    return Math.min(part.end, steps * step)
  }
}

const noPiece: Piece = { bytes: [], release() {} }

function closeAfterWritten(res: ServerResponse): void {
  if (res.writableFinished) return
  res.socket?.destroySoon()
  const giveUp = setTimeout(() => res.destroy(), cutGraceMs)
  res.on('close', () => clearTimeout(giveUp))
}
