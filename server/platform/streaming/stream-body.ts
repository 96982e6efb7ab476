// Sends ranges of an open object as the body of a response. Reads the next bytes only when the kernel has accepted
// the previous ones. Each response has one buffer, so its memory doesn't depend on the size of the file.
import type { ServerResponse } from 'node:http'
import type { OpenObject } from '../storage/storage.ts'
import type { ByteRange } from './byte-range.ts'

/** A range of the object, and the bytes that precede it in a multipart response. */
export interface BodyPart extends ByteRange {
  prefix?: Uint8Array
}

export interface Body {
  res: ServerResponse
  object: OpenObject
  parts: readonly BodyPart[]
  suffix?: Uint8Array | undefined
  /** Writes the headers. Called after the first read, so that a failed read can still cause an error response. */
  writeHead: () => void
  /** Called for each chunk with the number of bytes that the kernel accepted. */
  onSent?: ((bytes: number) => void) | undefined
}

export interface BodySender {
  /** Resolves when all bytes are accepted, or the response is closed or cut. Rejects if a read fails. */
  send(body: Body): Promise<void>
  readonly activeCount: number
  /** Ends all responses early: sends no new bytes, and closes the connections after those already written. */
  cutAll(): Promise<void>
}

interface Sending {
  isCut: boolean
  /** Ends the wait until the kernel accepts a chunk. */
  wake: () => void
  done: Promise<void>
}

/** Total size of the buffers of all responses. If it is exceeded, each response gets the smallest buffer. */
export const buffersBytes = 16 * 1024 * 1024
const bufferBytes = { most: 128 * 1024, least: 8 * 1024 }
/** Number of buffers that are kept for later responses. Without them, small range requests took 1.9 times as long. */
const spareBuffers = 32
/** How long bytes that were already written may take to be accepted after a cut. */
const cutGraceMs = 1000

export function createBodySender(): BodySender {
  const active = new Set<Sending>()
  /** Unused buffers of the largest size. */
  const spare: Buffer<ArrayBuffer>[] = []

  function chunkBytes(): number {
    let size = bufferBytes.most
    while (size > bufferBytes.least && size * active.size > buffersBytes) size /= 2
    return size
  }

  return {
    async send(body) {
      const sending: Sending = { isCut: false, wake() {}, done: Promise.resolve() }
      active.add(sending)
      try {
        sending.done = sendBody(body, sending, { chunkBytes, spare })
        await sending.done
      } finally {
        active.delete(sending)
      }
    },
    get activeCount() {
      return active.size
    },
    async cutAll() {
      const running = [...active]
      for (const sending of running) {
        sending.isCut = true
        sending.wake()
      }
      await Promise.allSettled(running.map(({ done }) => done))
    },
  }
}

async function sendBody(
  body: Body,
  sending: Sending,
  { chunkBytes, spare }: { chunkBytes: () => number; spare: Buffer<ArrayBuffer>[] },
): Promise<void> {
  const { res, object, parts, onSent } = body
  const isOver = () => sending.isCut || res.destroyed
  const onClose = () => sending.wake()
  res.once('close', onClose)
  let buffer = Buffer.alloc(0)
  try {
    for (const part of parts) {
      for (let position = part.start; position < part.end;) {
        const size = Math.max(chunkBytes(), object.minReadBytes)
        const end = Math.min(part.end, position + size)
        if (buffer.length < end - position || buffer.length > size) {
          buffer = reuseBuffer(size, spare)
        }
        const chunk = buffer.subarray(0, end - position)
        await readExactly(object, chunk, position)
        if (isOver()) return
        const isTaken = await writeChunk(body, sending, { part, chunk, position })
        // A write that was cut may still read from the buffer, so it must not be reused.
        if (!isTaken) buffer = Buffer.alloc(0)
        if (isTaken) onSent?.(chunk.length)
        if (isOver()) return
        position = end
      }
    }
  } finally {
    res.off('close', onClose)
    if (buffer.length === bufferBytes.most && spare.length < spareBuffers) spare.push(buffer)
    if (sending.isCut) closeAfterWritten(res)
  }
}

function reuseBuffer(size: number, spare: Buffer<ArrayBuffer>[]): Buffer<ArrayBuffer> {
  const known = size === bufferBytes.most ? spare.pop() : undefined
  return known ?? Buffer.allocUnsafeSlow(size)
}

/** Returns whether the kernel accepted the chunk. False if the connection was closed or cut before. */
function writeChunk(
  { res, parts, suffix, writeHead }: Body,
  sending: Sending,
  { part, chunk, position }: { part: BodyPart; chunk: Buffer; position: number },
): Promise<boolean> {
  return new Promise((resolve) => {
    sending.wake = () => resolve(false)
    // Combines the headers, the first chunk and the end into as few packets as possible.
    res.cork()
    if (!res.headersSent) writeHead()
    if (part.prefix && position === part.start) res.write(part.prefix)
    res.write(chunk, (error) => resolve(!error))
    if (part === parts.at(-1) && position + chunk.length === part.end) res.end(suffix)
    res.uncork()
  })
}

async function readExactly(object: OpenObject, target: Buffer, position: number): Promise<void> {
  const count = await object.read(target, position)
  if (count < target.length) {
    throw new Error(`The object ends at ${position + count}, before ${position + target.length}`)
  }
}

function closeAfterWritten(res: ServerResponse): void {
  if (res.writableFinished) return
  res.socket?.destroySoon()
  const destroyTimer = setTimeout(() => res.destroy(), cutGraceMs)
  res.on('close', () => clearTimeout(destroyTimer))
}
