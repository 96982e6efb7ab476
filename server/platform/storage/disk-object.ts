// A file held open for positioned reads, so that a stream costs one system call per chunk. Uses callbacks: the promises
// of `node:fs` would add overhead to each chunk.
import { close, fstat, open, readv, readvSync } from 'node:fs'
import { promisify } from 'node:util'
import { statOf } from './disk-files.ts'
import type { OpenObject } from './storage.ts'

const openFile = promisify(open)
const statFile = promisify(fstat)
const closeFile = promisify(close)

export async function openDiskObject(path: string): Promise<OpenObject> {
  const file = await openFile(path, 'r')
  const stats = await statFile(file, { bigint: true })
  if (!stats.isFile()) {
    await closeFile(file)
    throw Object.assign(new Error(`${path} is not a file`), { code: 'EISDIR' })
  }
  return {
    ...statOf(stats),
    leastReadBytes: 1,
    read: (targets, position) => readFully(file, targets, position),
    readNow: (targets, position) => readvSync(file, targets, position),
    close: () => closeFile(file),
  }
}

function readFully(file: number, targets: Uint8Array[], position: number): Promise<number> {
  const wanted = targets.reduce((sum, target) => sum + target.byteLength, 0)
  return new Promise((resolve, reject) => {
    const readFrom = (filled: number) => {
      readv(file, afterBytes(targets, filled), position + filled, (error, count) => {
        if (error) reject(error)
        // A read may return fewer bytes than requested, long before the end of the file.
        else if (count > 0 && filled + count < wanted) readFrom(filled + count)
        else resolve(filled + count)
      })
    }
    readFrom(0)
  })
}

function afterBytes(targets: Uint8Array[], count: number): Uint8Array[] {
  if (count === 0) return targets
  const left: Uint8Array[] = []
  let skip = count
  for (const target of targets) {
    if (skip < target.byteLength) left.push(target.subarray(skip))
    skip = Math.max(0, skip - target.byteLength)
  }
  return left
}
