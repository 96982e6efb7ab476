// Computes the SHA-256 of local files.
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

/** Hashing this much takes about a millisecond, so that other requests are served in between. */
const hashChunkBytes = 512 * 1024

/**
 * Returns the hash in hexadecimal. Reads through one reused buffer, so that a large recording does not fill the heap.
 */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafeSlow(hashChunkBytes)
  const file = await open(path)
  try {
    for (;;) {
      const { bytesRead } = await file.read(piece)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(piece.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
