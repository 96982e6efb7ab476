// Reads a backup file sequentially, entry by entry, in constant memory.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import * as z from 'zod/mini'
import { StorageError } from '../../platform/storage/storage.ts'
import { ageHeader, encryptWithPassphrase, noPassphrase } from './backup-encryption.ts'
import {
  BackupError,
  backupEnd,
  backupStart,
  endEntry,
  startEntry,
  type BackupEnd,
  type BackupStart,
} from './backup-format.ts'

export interface ArchiveEntry {
  name: string
  byteSize: number
  /** The entry's content. Read it to its end before requesting the next entry. */
  body: Readable
}

/** Reads a backup from a file or from a target. */
export interface BackupReader {
  /** The name shown in error messages. */
  name: string
  /**
   * Yields the entries. Throws a BackupError if the backup is incomplete or damaged. If `stopSignal` is aborted, throws
   * its reason before the next entry.
   */
  entries: (stopSignal?: AbortSignal) => AsyncGenerator<ArchiveEntry>
}

/** Opens a backup file. Whether it is encrypted is recognized by its first bytes. */
export function openBackupFile(path: string, passphrase: string | null = null): BackupReader {
  return {
    name: path,
    async *entries(stopSignal) {
      yield* readTar(await openFile(path, passphrase), path, stopSignal)
    },
  }
}

async function openFile(path: string, passphrase: string | null): Promise<Readable> {
  const isEncrypted = await isEncryptedFile(path)
  if (isEncrypted && passphrase === null) throw noPassphrase(path)
  const file = createReadStream(path)
  if (!isEncrypted || passphrase === null) return file
  return encryptWithPassphrase(passphrase, path).decrypt(file)
}

async function isEncryptedFile(path: string): Promise<boolean> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(ageHeader.length), 0)
    return buffer.toString('latin1', 0, bytesRead) === ageHeader
  } finally {
    await handle.close()
  }
}

export async function* readTar(
  content: Readable,
  name: string,
  stopSignal?: AbortSignal,
): AsyncGenerator<ArchiveEntry> {
  const tar = extract()
  content.on('error', (error) => tar.destroy(error))
  content.pipe(tar)
  try {
    for await (const entry of tar) {
      stopSignal?.throwIfAborted()
      const { name: entryName, size, type } = entry.header
      if (type !== 'file')
        throw new BackupError(`${name} contains ${entryName}, which is not part of any backup.`)
      yield { name: entryName, byteSize: size, body: entry as unknown as Readable }
    }
  } catch (error) {
    throw archiveError(name, error, stopSignal)
  } finally {
    content.destroy()
    tar.destroy()
  }
}

/**
 * Converts errors that occur between two entries. Errors within an entry's body are thrown to the reader of that entry.
 */
function archiveError(path: string, error: unknown, stopSignal?: AbortSignal): unknown {
  if (error instanceof BackupError || error instanceof StorageError || isSystemError(error))
    return error
  if (stopSignal?.aborted) return stopSignal.reason
  const isCut = error instanceof Error && error.message === 'Unexpected end of data'
  return new BackupError(
    isCut
      ? `${path} is truncated: it ends in the middle. Copy it again from the original, or use another backup.`
      : `${path} cannot be read as a backup.`,
    { cause: error },
  )
}

/** Reads all entries and compares each with the size and hash in the end record. Throws a BackupError. */
export async function verifyArchive(
  backup: BackupReader,
  stopSignal?: AbortSignal,
): Promise<{ start: BackupStart; end: BackupEnd }> {
  try {
    return await verifyEntries(backup, stopSignal)
  } catch (error) {
    throw archiveError(backup.name, error, stopSignal)
  }
}

async function verifyEntries(
  { name: path, entries }: BackupReader,
  stopSignal?: AbortSignal,
): Promise<{ start: BackupStart; end: BackupEnd }> {
  let start: BackupStart | null = null
  let end: BackupEnd | null = null
  const found: BackupEnd['entries'] = []
  for await (const { name, byteSize, body } of entries(stopSignal)) {
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
  if (!start) throw new BackupError(`${path} is not a Velour backup.`)
  if (!end)
    throw new BackupError(
      `${path} is truncated: its end is missing. Copy it again from the original, or use another backup.`,
    )
  refuseDifferences(path, found, end.entries)
  return { start, end }
}

function refuseDifferences(
  path: string,
  found: BackupEnd['entries'],
  wanted: BackupEnd['entries'],
) {
  if (found.length !== wanted.length) {
    throw new BackupError(
      `${path} is damaged: it contains ${found.length} entries instead of ${wanted.length}.`,
    )
  }
  for (const [index, entry] of wanted.entries()) {
    const own = found[index]!
    const isSame =
      own.name === entry.name && own.byte_size === entry.byte_size && own.sha256 === entry.sha256
    if (!isSame)
      throw new BackupError(`${path} is damaged: the content of ${entry.name} has changed.`)
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
    throw new BackupError(`${path} was not created by this version of Velour or an older one.`, {
      cause: error,
    })
  }
}

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
