// Uploads in parts on disk. Each part is a file in the folder of its upload, and is flushed to disk before it is
// renamed to its final name. So a killed process leaves only complete parts, and parts can be sent repeatedly, in any
// order and concurrently.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { throwNotFoundIfMissing, toObjectStat, syncFolder, nullIfMissing } from './disk-files.ts'
import { writeDurably } from './durable-files.ts'
import type { ScratchFolders } from './scratch-folders.ts'
import {
  StorageError,
  storageKey,
  type PartialObject,
  type Storage,
  type StorageParts,
  type StoredPart,
} from './storage.ts'

/** Longer than the lifetime of any upload, so older parts are no longer needed. */
const abandonedAfterMs = 8 * 24 * 3_600_000
const copyChunkBytes = 1024 ** 2

export interface DiskParts extends StorageParts {
  /** Removes all parts of a key. */
  abort: (key: string) => Promise<void>
}

/** `folder` must be on the file system of `scratch`. Removes parts that are older than any upload. */
export async function openDiskParts(options: {
  folder: string
  scratch: ScratchFolders
  putFile: Storage['putFile']
}): Promise<DiskParts> {
  const { folder, scratch, putFile } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeAbandoned(folder)
  // The folders of all keys are on one level, so that removing one does not affect the uploads of other keys.
  const folderOfKey = (key: string) =>
    join(folder, createHash('sha256').update(storageKey(key)).digest('hex'))
  const folderOf = ({ key, uploadId }: PartialObject) => join(folderOfKey(key), uploadId)

  const parts: DiskParts = {
    onDisk: true,

    async begin(key) {
      const uploadId = randomUUID()
      await mkdir(folderOf({ key, uploadId }), { recursive: true, mode: 0o700 })
      await syncFolder(folderOfKey(key))
      await syncFolder(folder)
      return uploadId
    },

    async signedUrl() {
      return null
    },

    async put(object, part, body) {
      const place = folderOf(object)
      const path = join(scratch.folder, randomUUID())
      try {
        await writeDurably(path, body, part.byteSize)
        await throwNotFoundIfMissing(object.key, rename(path, join(place, String(part.number))))
        await throwNotFoundIfMissing(object.key, syncFolder(place))
      } finally {
        await rm(path, { force: true })
      }
    },

    async list(object) {
      return throwNotFoundIfMissing(object.key, listParts(folderOf(object)))
    },

    async complete(object, chosen) {
      const stored = new Map((await parts.list(object)).map((part) => [part.number, part.etag]))
      const isStored = ({ number, etag }: StoredPart) => stored.get(number) === etag
      if (chosen.length === 0 || !chosen.every(isStored)) {
        throw new StorageError('wrong_parts', `The parts of ${object.key} differ`)
      }
      const paths = chosen.map(({ number }) => join(folderOf(object), String(number)))
      await scratch.withFolder(async (work) => {
        const whole = join(work, 'whole')
        await throwNotFoundIfMissing(object.key, joinFiles(paths, whole))
        await putFile(object.key, whole)
      })
      await parts.abort(object.key)
    },

    async abort(key) {
      // Renamed before it is deleted, so that a part that arrives concurrently finds either the whole folder or none.
      const path = join(scratch.folder, randomUUID())
      await rename(folderOfKey(key), path).catch(nullIfMissing)
      await rm(path, { recursive: true, force: true })
    },
  }
  return parts
}

async function listParts(folder: string): Promise<StoredPart[]> {
  const found = (await readdir(folder)).map(async (name) => {
    const { byteSize, etag } = toObjectStat(await stat(join(folder, name), { bigint: true }))
    return { number: Number(name), byteSize, etag }
  })
  return (await Promise.all(found)).toSorted((a, b) => a.number - b.number)
}

/** Copies through one reused buffer, so that a large recording does not fill the heap. */
async function joinFiles(paths: readonly string[], target: string): Promise<void> {
  const piece = Buffer.allocUnsafeSlow(copyChunkBytes)
  await withFile(target, 'wx', async (whole) => {
    for (const path of paths) {
      await withFile(path, 'r', async (part) => {
        for (;;) {
          const { bytesRead } = await part.read(piece, 0, piece.length)
          if (bytesRead === 0) return
          await whole.writeFile(piece.subarray(0, bytesRead))
        }
      })
    }
  })
}

async function withFile(
  path: string,
  flags: 'r' | 'wx',
  use: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, 0o600)
  try {
    await use(file)
  } finally {
    await file.close()
  }
}

/** Removes old parts of keys that are never deleted, such as those of a database that was replaced by a backup. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(nullIfMissing)
    if (found && found.mtimeMs < Date.now() - abandonedAfterMs) {
      await rm(path, { recursive: true, force: true })
    }
  }
}
