// What disk storage needs of the file system: durable names, and the identity of a file.
import type { BigIntStats } from 'node:fs'
import { open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectStat } from './storage.ts'

/** Size, time and a strong entity tag: no object is written twice within one tick of the clock and of one size. */
export function statOf(stats: BigIntStats): ObjectStat {
  return {
    byteSize: Number(stats.size),
    etag: `"${stats.mtimeNs.toString(36)}-${stats.size.toString(36)}"`,
    lastModified: new Date(Number(stats.mtimeMs)),
  }
}

/** Flushes the contents of a file. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Flushes the names in a folder: without it a renamed file may be gone after a power loss. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Paths of all files below a folder, which may be missing or vanish meanwhile. */
export async function* walkFiles(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) yield* walkFiles(path)
      else if (entry.isFile()) yield path
    }
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
