// Compares one stored object with its recorded size and hash.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileProblem } from '#contract/fields/stored-files.ts'
import {
  StorageError,
  isStorageError,
  type OpenObject,
  type Storage,
} from '../../platform/storage/storage.ts'

/** The recorded size and hash. Null if unknown, because an older version created the file. */
export interface ExpectedFile {
  storage_key: string
  byte_size: number | null
  sha256: string | null
}

export interface Examination {
  problem: FileProblem | null
  /** The actual size and hash of the object. Null if it is missing or has the wrong size. */
  found: { byte_size: number; sha256: string } | null
}

const pieceBytes = 512 * 1024

/**
 * Reads an object and compares it. Pauses between reads to stay below `bytesPerSecond`. Throws `unavailable`, or the
 * reason of `signal`.
 */
export async function examineFile(
  storage: Pick<Storage, 'open'>,
  expected: ExpectedFile,
  {
    signal,
    bytesPerSecond = Infinity,
  }: { signal: AbortSignal; bytesPerSecond?: number | undefined },
): Promise<Examination> {
  let object: OpenObject
  try {
    object = await storage.open(expected.storage_key)
  } catch (error) {
    if (isStorageError(error, 'not_found')) return { problem: 'missing', found: null }
    throw error
  }
  try {
    if (expected.byte_size !== null && object.byteSize !== expected.byte_size) {
      return { problem: 'wrong_size', found: null }
    }
    const sha256 = await hashObject(object, { signal, bytesPerSecond })
    const isSame = expected.sha256 === null || expected.sha256 === sha256
    return {
      problem: isSame ? null : 'wrong_bytes',
      found: { byte_size: object.byteSize, sha256 },
    }
  } catch (error) {
    // The object was deleted while it was read.
    if (isStorageError(error, 'not_found')) return { problem: 'missing', found: null }
    throw error
  } finally {
    await object.close()
  }
}

async function hashObject(
  object: OpenObject,
  { signal, bytesPerSecond }: { signal: AbortSignal; bytesPerSecond: number },
): Promise<string> {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytes, Math.max(1, object.byteSize)))
  for (let position = 0; position < object.byteSize;) {
    signal.throwIfAborted()
    const count = await object.read(piece, position)
    if (count === 0) throw new StorageError('unavailable', 'Unexpected end of an object')
    hash.update(piece.subarray(0, count))
    position += count
    await sleep((count / bytesPerSecond) * 1000, null, { signal })
  }
  return hash.digest('hex')
}
