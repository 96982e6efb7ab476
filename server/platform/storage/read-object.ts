// Reads a stored object as a stream, with constant memory.
import { Readable } from 'node:stream'
import type { OpenObject } from './storage.ts'

const pieceBytes = 1024 * 1024

/** The caller closes the object afterwards. */
export function readObjectStream(object: OpenObject): Readable {
  return Readable.from(
    (async function* pieces() {
      for (let position = 0; position < object.byteSize;) {
        const piece = Buffer.allocUnsafe(Math.min(pieceBytes, object.byteSize - position))
        const count = await object.read(piece, position)
        if (count === 0) throw new Error('An object ended before its size')
        position += count
        yield piece.subarray(0, count)
      }
    })(),
    { objectMode: false },
  )
}
