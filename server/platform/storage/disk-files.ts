// File system helpers of disk storage: durable names and the identity of a file.
import type { BigIntStats } from 'node:fs'
import { open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageError, type ObjectStat } from './storage.ts'

/** Size, time and a strong ETag: an object is never written twice in one clock tick with the same size. */
export function toObjectStat(stats: BigIntStats): ObjectStat {
  return {
    byteSize: Number(stats.size),
    etag: `"${stats.mtimeNs.toString(36)}-${stats.size.toString(36)}"`,
    lastModified: new Date(Number(stats.mtimeMs)),
  }
}

/** Flushes the contents of a file to disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Flushes the names in a folder to disk: otherwise a renamed file may be lost in a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Paths of all files below a folder. The folder may be missing or be deleted concurrently. */
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

/** Turns a missing file into `not_found`. */
export async function throwNotFoundIfMissing<T>(key: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if (isMissing(cause)) throw new StorageError('not_found', `No object ${key}`, { cause })
    throw cause
  }
}

/** For `catch`: null if the file is missing. */
export function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

/** ENOTDIR and EISDIR: a segment of the path is a file, or the file is a folder. */
function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR') || hasCode(error, 'EISDIR')
}
