// Writes a backup as one tar file, entry by entry, in constant memory. The file gets its final name only when it is
// complete and flushed to disk.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack, type Pack } from 'tar-stream'
import { syncFolder } from '../../platform/storage/disk-files.ts'
import type { OpenObject } from '../../platform/storage/storage.ts'
import type { BackupEncryption } from './backup-encryption.ts'
import { endEntry, objectPrefix, type BackupEnd } from './backup-format.ts'
import { readObjectStream } from '../../platform/storage/read-object.ts'

export interface BackupWriter {
  addText: (name: string, text: string) => Promise<void>
  /** Adds a file that is finished and stored locally. */
  addFile: (name: string, path: string) => Promise<void>
  addObject: (key: string, object: OpenObject) => Promise<void>
  /** Completes the backup and returns its size. */
  finish: (end: Omit<BackupEnd, 'entries'>) => Promise<number>
  /** Stops writing and removes the incomplete backup, so that no file looks like a backup. */
  abort: () => Promise<void>
}

export interface ArchiveOutput {
  stream: Writable
  /** Called once all entries are written: gives the file its final name. */
  publish: () => Promise<void>
  /** Removes the incomplete output. */
  discard: () => Promise<void>
}

export function fileOutput(path: string): ArchiveOutput {
  const unfinished = `${path}.unfinished`
  return {
    // Readable only by the file's owner, because a backup contains all data.
    stream: createWriteStream(unfinished, { mode: 0o600, flush: true }),
    async publish() {
      await rename(unfinished, path)
      await syncFolder(dirname(path))
    },
    discard: () => rm(unfinished, { force: true }),
  }
}

/** Writes the backup to a pipe. The command's exit code tells the reader whether the backup is complete. */
export function streamOutput(stream: Writable): ArchiveOutput {
  return { stream, publish: async () => {}, discard: async () => {} }
}

export function createArchive(
  output: ArchiveOutput,
  encryption: BackupEncryption | null = null,
): BackupWriter & { entries: BackupEnd['entries'] } {
  const tar: Pack = pack()
  let writtenBytes = 0
  const writing = writeOut()
  // This promise is awaited at the end. If the disk fills up earlier, writing the current entry fails.
  writing.catch(() => {})
  const entries: BackupEnd['entries'] = []

  async function writeOut(): Promise<void> {
    const plain = Readable.from(tar, { objectMode: false })
    const content = encryption ? await encryption.encrypt(plain) : plain
    await pipeline(
      content,
      async function* count(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          writtenBytes += chunk.byteLength
          yield chunk
        }
      },
      output.stream,
    )
  }

  /** Adds an entry whose content has exactly `byteSize` bytes. */
  async function add(name: string, byteSize: number, body: Readable): Promise<void> {
    const hash = createHash('sha256')
    const entry = tar.entry({ name, size: byteSize, mode: 0o600, mtime: new Date(0) })
    const copying = pipeline(
      body,
      async function* measure(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      entry,
    )
    await Promise.race([copying, writing])
    entries.push({ name, byte_size: byteSize, sha256: hash.digest('hex') })
  }

  const addText = (name: string, text: string) => {
    const bytes = Buffer.from(text)
    return add(name, bytes.length, Readable.from([bytes]))
  }

  return {
    entries,
    addText,
    addFile: async (name, file) => add(name, (await stat(file)).size, createReadStream(file)),
    addObject: (key, object) => add(objectPrefix + key, object.byteSize, readObjectStream(object)),
    async finish(end) {
      const whole: BackupEnd = { ...end, entries: [...entries] }
      await addText(endEntry, `${JSON.stringify(whole, null, 1)}\n`)
      tar.finalize()
      await writing
      await output.publish()
      return writtenBytes
    },
    async abort() {
      tar.destroy()
      await writing.catch(() => {})
      await output.discard()
    },
  }
}
