// File system functions of disk storage: durable writes and the identity of a file.
import type { BigIntStats } from 'node:fs'
import { open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageError, type ObjectStat } from './storage.ts'

/**
 * Size, modification time and a strong ETag built from both. It is unique, because an object is never written twice
 * in one clock tick with the same size.
 */
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

/** Flushes the names in a folder to disk. Otherwise a renamed file may be lost in a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Returns the paths of all files below a folder. The folder may be missing or be deleted concurrently. */
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

/** Converts the error for a missing file to `not_found`. */
export async function throwNotFoundIfMissing<T>(key: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if (isMissing(cause)) throw new StorageError('not_found', `No object ${key}`, { cause })
    throw cause
  }
}

/** For `catch`: returns null if the file is missing, and rethrows all other errors. */
export function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

/** ENOTDIR means that a segment of the path is a file, EISDIR that the path is a folder. */
function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR') || hasCode(error, 'EISDIR')
}
