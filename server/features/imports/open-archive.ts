// Reads a zip archive directly from the object storage, entry by entry in any order, without unpacking the whole
// archive.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import { crc32 } from 'node:zlib'
import { fromRandomAccessReader, RandomAccessReader, type Entry, type ZipFile } from 'yauzl'
import type { OpenObject } from '../../platform/storage/storage.ts'
import { ImportError } from './archive-error.ts'
import { checkEntry, checkTotals, type ArchiveTotals } from './archive-limits.ts'

const pieceBytes = 256 * 1024

export interface ArchiveEntry {
  path: string
  byteSize: number
}

export interface Archive {
  /** All files of the archive, in its own order. */
  entries: readonly ArchiveEntry[]
  /** Unpacks one file. Throws an ImportError if the archive has no such file or the file is damaged. */
  unpack: (path: string, toFile: string) => Promise<void>
  /** Returns the content of one file. The caller must read the stream to its end or destroy it. */
  read: (path: string) => Promise<Readable>
  /** Reads a text file. Throws an ImportError if it is longer than `maxBytes`. */
  readText: (path: string, maxBytes: number) => Promise<string>
  close: () => void
}

class ObjectReader extends RandomAccessReader {
  readonly #object: OpenObject
  #piece: { start: number; bytes: Buffer } = { start: -1, bytes: Buffer.alloc(0) }

  constructor(object: OpenObject) {
    super()
    this.#object = object
  }

  /**
   * Reads in larger pieces. The zip library reads the central directory in small steps, each of which would be one
   * request to an object store.
   */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const target = buffer.subarray(offset, offset + length)
    callbackify(() => this.#copy(target, position))(callback)
  }

  async #copy(target: Buffer, position: number): Promise<void> {
    for (let done = 0; done < target.length;) {
      const at = position + done
      const start = at - (at % pieceBytes)
      if (this.#piece.start !== start) {
        const bytes = Buffer.allocUnsafe(pieceBytes)
        const count = await this.#object.read(bytes, start)
        this.#piece = { start, bytes: bytes.subarray(0, count) }
      }
      const copied = this.#piece.bytes.copy(target, done, at - start)
      if (copied === 0) throw new Error('Unexpected end of the archive')
      done += copied
    }
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const object = this.#object
    return Readable.from(
      (async function* pieces() {
        for (let position = start; position < end;) {
          const piece = Buffer.allocUnsafe(Math.min(pieceBytes, end - position))
          const count = await object.read(piece, position)
          if (count === 0) throw new Error('Unexpected end of the archive')
          position += count
          yield piece.subarray(0, count)
        }
      })(),
      { objectMode: false },
    )
  }
}

/** Reads the archive's central directory, and rejects unsafe archives with an ImportError. Does not close `object`. */
export async function openArchive(object: OpenObject): Promise<Archive> {
  const zip = await openZip(object)
  const byPath = new Map<string, Entry>()
  const totals: ArchiveTotals = { entryCount: 0, compressedBytes: 0, bytes: 0 }
  try {
    for await (const entry of zip.eachEntry()) {
      checkEntry(entry, totals)
      if (entry.fileName.endsWith('/')) continue
      if (byPath.has(entry.fileName)) {
        throw new ImportError(`“${entry.fileName.slice(0, 100)}” is in the archive twice.`)
      }
      byPath.set(entry.fileName, entry)
    }
    checkTotals(totals, object.byteSize)
  } catch (error) {
    zip.close()
    throw toImportError(error)
  }
  const read = async (path: string) => {
    const entry = byPath.get(path)
    if (!entry) throw new ImportError(`“${path.slice(0, 100)}” is not in the archive.`)
    return zip.openReadStreamPromise(entry).catch((error: unknown) => {
      throw toImportError(error)
    })
  }
  return {
    entries: [...byPath].map(([path, { uncompressedSize }]) => ({
      path,
      byteSize: uncompressedSize,
    })),
    read,
    async unpack(path, toFile) {
      const body = await read(path)
      let checksum = 0
      const check = async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          checksum = crc32(chunk, checksum)
          yield chunk
        }
        if (checksum !== byPath.get(path)?.crc32) throw new Error('Wrong checksum')
      }
      const file = createWriteStream(toFile, { flags: 'wx', mode: 0o600 })
      await pipeline(body, check, file).catch((error: unknown) => {
        throw toDamageError(error, path)
      })
    },
    async readText(path, maxBytes) {
      const size = byPath.get(path)?.uncompressedSize ?? 0
      if (size > maxBytes) throw new ImportError(`“${path.slice(0, 100)}” is too long.`)
      const pieces: Buffer[] = []
      try {
        for await (const piece of await read(path)) pieces.push(piece as Buffer)
      } catch (error) {
        throw toDamageError(error, path)
      }
      return Buffer.concat(pieces).toString('utf8')
    },
    close: () => zip.close(),
  }
}

function openZip(object: OpenObject): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true }
  return new Promise((resolve, reject) => {
    fromRandomAccessReader(new ObjectReader(object), object.byteSize, options, (error, zip) => {
      if (error) reject(toImportError(error))
      else resolve(zip)
    })
  })
}

/**
 * Converts errors of the zip library, which mean that the archive is damaged or malicious. Storage errors are returned
 * unchanged.
 */
function toImportError(error: unknown): Error {
  if (error instanceof ImportError || !isOfLibrary(error)) return error as Error
  const isPath = /invalid relative path|absolute path|invalid characters in fileName/i.test(
    error.message,
  )
  return new ImportError(
    isPath
      ? 'The archive contains a path outside the archive.'
      : 'This is not a zip archive, or it is damaged.',
    { cause: error },
  )
}

function toDamageError(error: unknown, path: string): Error {
  if (error instanceof ImportError || !isOfLibrary(error)) return error as Error
  return new ImportError(`“${path.slice(0, 100)}” is damaged in the archive.`, { cause: error })
}

/**
 * Whether the zip library threw this error. Storage errors have their own class, and disk errors have a code. Codes of
 * zlib start with Z.
 */
function isOfLibrary(error: unknown): error is Error {
  if (!(error instanceof Error) || error.constructor !== Error) return false
  const code = 'code' in error ? String(error.code) : ''
  return code === '' || code.startsWith('Z_')
}
