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
    read: (targets, position) => readFully(file, targets, position),
    close: () => file.close(),
  }
}

async function readFully(
  file: FileHandle,
  targets: Uint8Array[],
  position: number,
): Promise<number> {
  const wanted = targets.reduce((sum, target) => sum + target.byteLength, 0)
  let { bytesRead: filled } = await file.readv(targets, position)
  // A system call may give less than it was asked for long before the end.
  while (filled < wanted) {
    const { bytesRead } = await file.readv(afterBytes(targets, filled), position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return filled
}

function afterBytes(targets: Uint8Array[], count: number): Uint8Array[] {
  const left: Uint8Array[] = []
  let skip = count
  for (const target of targets) {
    if (skip < target.byteLength) left.push(target.subarray(skip))
    skip = Math.max(0, skip - target.byteLength)
  }
  return left
}
