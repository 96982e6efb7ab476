// A file that is kept open for reads at any position, so that a stream needs one system call per chunk. Uses
// callbacks, because the promises of `node:fs` would slow down each chunk.
import { close, fstat, open, read } from 'node:fs'
import { promisify } from 'node:util'
import { toObjectStat } from './disk-files.ts'
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
    ...toObjectStat(stats),
    minReadBytes: 1,
    read: (target, position) => readFully(file, target, position),
    close: () => closeFile(file),
  }
}

function readFully(file: number, target: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const readFrom = (filled: number) => {
      read(file, target, filled, target.length - filled, position + filled, (error, count) => {
        if (error) reject(error)
        // A read may return fewer bytes than requested before the end of the file, so read the rest.
        else if (count > 0 && filled + count < target.length) readFrom(filled + count)
        else resolve(filled + count)
      })
    }
    readFrom(0)
  })
}
