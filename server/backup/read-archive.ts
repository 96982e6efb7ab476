// Reads a backup file from its beginning to its end, entry by entry, in constant memory.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import * as z from 'zod/mini'
import {
  BackupError,
  backupEnd,
  backupStart,
  endEntry,
  startEntry,
  type BackupEnd,
  type BackupStart,
} from './backup-format.ts'

interface ArchiveEntry {
  name: string
  byteSize: number
  /** To be read to its end before the next one. */
  body: Readable
}

/** Throws a BackupError for what is no whole tar file, and the reason of `stopWish` before the next entry. */
export async function* readArchive(
  path: string,
  stopWish?: AbortSignal,
): AsyncGenerator<ArchiveEntry> {
  const tar = extract()
  const file = createReadStream(path)
  file.on('error', (error) => tar.destroy(error))
  file.pipe(tar)
  try {
    for await (const entry of tar) {
      stopWish?.throwIfAborted()
      const { name, size, type } = entry.header
      if (type !== 'file') throw new BackupError(`${path} holds ${name}, which no backup does.`)
      yield { name, byteSize: size, body: entry as unknown as Readable }
    }
  } catch (error) {
    if (error instanceof BackupError || isSystemError(error)) throw error
    stopWish?.throwIfAborted()
    throw new BackupError(`${path} cannot be read as a backup.`, { cause: error })
  } finally {
    file.destroy()
    tar.destroy()
  }
}

/** Reads all of it and compares every entry with what its end says. Throws a BackupError. */
export async function verifyArchive(
  path: string,
  stopWish?: AbortSignal,
): Promise<{ start: BackupStart; end: BackupEnd }> {
  let start: BackupStart | null = null
  let end: BackupEnd | null = null
  const found: BackupEnd['entries'] = []
  for await (const { name, byteSize, body } of readArchive(path, stopWish)) {
    if (name === endEntry) {
      end = parse(path, backupEnd, await text(body))
      continue
    }
    if (name === startEntry) {
      const content = await text(body)
      start = parse(path, backupStart, content)
      found.push({ name, byte_size: byteSize, sha256: sha256(content) })
      continue
    }
    const hash = createHash('sha256')
    for await (const chunk of body as AsyncIterable<Buffer>) hash.update(chunk)
    found.push({ name, byte_size: byteSize, sha256: hash.digest('hex') })
  }
  if (!start) throw new BackupError(`${path} is not a backup of Velour.`)
  if (!end) throw new BackupError(`${path} was cut off: it has no end.`)
  refuseDifferences(path, found, end.entries)
  return { start, end }
}

function refuseDifferences(
  path: string,
  found: BackupEnd['entries'],
  wanted: BackupEnd['entries'],
) {
  if (found.length !== wanted.length) {
    throw new BackupError(`${path} holds ${found.length} entries instead of ${wanted.length}.`)
  }
  for (const [index, entry] of wanted.entries()) {
    const own = found[index]!
    const isSame =
      own.name === entry.name && own.byte_size === entry.byte_size && own.sha256 === entry.sha256
    if (!isSame) throw new BackupError(`${path} is damaged: ${entry.name} is not what was written.`)
  }
}

export function parse<T extends z.ZodMiniType>(
  path: string,
  schema: T,
  content: string,
): z.infer<T> {
  try {
    return z.parse(schema, JSON.parse(content))
  } catch (error) {
    throw new BackupError(`${path} was not written by this Velour or an older one.`, {
      cause: error,
    })
  }
}

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
