// Worker that computes the SHA-256 of files. Reads them in chunks, and holds only one chunk in memory.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

export interface HashRequest {
  id: number
  file: Blob
}

export type HashResult =
  | { id: number; bytes: number }
  | { id: number; sha256: string }
  | { id: number; failed: true }

const pieceBytes = 4 * 1024 * 1024

addEventListener('message', ({ data }: MessageEvent<HashRequest>) => void sendHash(data))

async function sendHash({ id, file }: HashRequest): Promise<void> {
  const post = (message: HashResult) => postMessage(message)
  try {
    const hash = sha256.create()
    for (let start = 0; start < file.size; start += pieceBytes) {
      const piece = await file.slice(start, start + pieceBytes).arrayBuffer()
      hash.update(new Uint8Array(piece))
      post({ id, bytes: start + piece.byteLength })
    }
    post({ id, sha256: bytesToHex(hash.digest()) })
  } catch {
    // Reading fails if the file was moved, changed or deleted since it was dropped.
    post({ id, failed: true })
  }
}
