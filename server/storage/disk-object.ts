// A file held open for positioned reads, so that a stream costs one system call per piece.
import { open, type FileHandle } from 'node:fs/promises'
import { statOf } from './disk-files.ts'
import type { OpenObject } from './storage.ts'

export async function openDiskObject(path: string): Promise<OpenObject> {
  const file = await open(path, 'r')
  const stats = await file.stat({ bigint: true })
  if (!stats.isFile()) {
    await file.close()
    throw Object.assign(new Error(`${path} is not a file`), { code: 'EISDIR' })
  }
  return {
    ...statOf(stats),
    read: (target, position) => readFully(file, target, position),
    close: () => file.close(),
  }
}

async function readFully(file: FileHandle, target: Uint8Array, position: number): Promise<number> {
  let filled = 0
  while (filled < target.byteLength) {
    const { bytesRead } = await file.read(
      target,
      filled,
      target.byteLength - filled,
      position + filled,
    )
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}
