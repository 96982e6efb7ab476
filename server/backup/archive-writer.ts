// Writes a backup file entry by entry in constant memory. It appears under its name when it is whole and on disk.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack, type Pack } from 'tar-stream'
import { syncFolder } from '../storage/disk-files.ts'
import { endEntry, type BackupEnd } from './backup-format.ts'

export interface ArchiveWriter {
  /** A body of exactly `byteSize` bytes. */
  add: (name: string, byteSize: number, body: Readable) => Promise<void>
  addText: (name: string, text: string) => Promise<void>
  /** A finished local file. */
  addFile: (name: string, path: string) => Promise<void>
  /** Completes the file; gives its size. */
  finish: (end: Omit<BackupEnd, 'entries'>) => Promise<number>
  /** Gives up; nothing is left. */
  abort: () => Promise<void>
}

export function createArchive(path: string): ArchiveWriter {
  const unfinished = `${path}.unfinished`
  const tar: Pack = pack()
  // Only its owner may read it: it holds everything.
  const writing = pipeline(tar, createWriteStream(unfinished, { mode: 0o600, flush: true }))
  // Awaited at the end; a full disk meanwhile shows as the entry that cannot be written.
  writing.catch(() => {})
  const entries: BackupEnd['entries'] = []

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
    add,
    addText,
    addFile: async (name, file) => add(name, (await stat(file)).size, createReadStream(file)),
    async finish(end) {
      const whole: BackupEnd = { ...end, entries: [...entries] }
      await addText(endEntry, `${JSON.stringify(whole, null, 1)}\n`)
      tar.finalize()
      await writing
      const { size } = await stat(unfinished)
      await rename(unfinished, path)
      await syncFolder(dirname(path))
      return size
    },
    async abort() {
      tar.destroy()
      await writing.catch(() => {})
      await rm(unfinished, { force: true })
    },
  }
}
