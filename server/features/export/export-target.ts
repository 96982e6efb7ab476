// The destination of an export: a zip file that is sent to the client, or a local folder.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { nullIfMissing } from '../../platform/storage/disk-files.ts'
import { readObjectStream } from '../../platform/storage/read-object.ts'
import type { OpenObject } from '../../platform/storage/storage.ts'

/** Receives one file at a time. Paths use `/` between folders, and are safe on every file system. */
export interface ExportTarget {
  addText: (path: string, text: string) => Promise<void>
  /** Adds a finished local file. */
  addFile: (path: string, localPath: string) => Promise<void>
  /** Adds a stored object. Does not close it. */
  addObject: (path: string, object: OpenObject) => Promise<void>
  finish: () => Promise<void>
}

/** Streams a zip in constant memory, as zip64 if necessary. Recordings and pictures are not compressed. */
export function createZipTarget(
  mtime: Date,
  disconnected: AbortSignal,
): ExportTarget & { content: Readable } {
  const zip = new ZipFile()
  const content = zip.outputStream as Readable
  const broken = new Promise<never>((_, reject) => {
    disconnected.addEventListener('abort', () => reject(disconnected.reason), { once: true })
    zip.on('error', reject)
    content.on('error', reject)
  })
  broken.catch(() => {})
  const add = async (path: string, body: Readable, compress: boolean) => {
    const read = new Promise<void>((resolve, reject) => {
      body.once('end', resolve)
      body.once('error', reject)
    })
    zip.addReadStream(body, path, { compress, mtime, mode: 0o100644 })
    await Promise.race([read, broken])
  }
  return {
    content,
    addText: (path, text) => add(path, Readable.from([Buffer.from(text)]), true),
    addFile: (path, localPath) => add(path, createReadStream(localPath), true),
    addObject: (path, object) => add(path, readObjectStream(object), false),
    async finish() {
      zip.end()
    },
  }
}

/**
 * Writes to a folder. Continues an interrupted export: stored files that the folder already contains in the right size
 * are not written again.
 */
export function createFolderTarget(
  folder: string,
  onFile: (path: string) => void = () => {},
): ExportTarget {
  const place = async (path: string) => {
    const whole = join(folder, path)
    await mkdir(dirname(whole), { recursive: true })
    onFile(path)
    return whole
  }
  const copy = async (path: string, body: Readable) => {
    const unfinished = `${path}.unfinished`
    await pipeline(body, createWriteStream(unfinished, { flush: true }))
    await rename(unfinished, path)
  }
  return {
    addText: async (path, text) => writeFile(await place(path), text),
    addFile: async (path, localPath) => copy(await place(path), createReadStream(localPath)),
    async addObject(path, object) {
      const whole = await place(path)
      const there = await stat(whole).catch(nullIfMissing)
      if (there?.size !== object.byteSize) await copy(whole, readObjectStream(object))
    },
    finish: async () => {},
  }
}
