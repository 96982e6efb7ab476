// Objects are files below one folder: `objects/` holds complete ones, `parts/` the parts of uploads, `tmp/` unfinished
// files. A file is complete and flushed to disk before it is renamed to its key. A crash leaves garbage only in `tmp/`,
// which is emptied at the next start.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, mkdir, readFile, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { Readable } from 'node:stream'
import {
  hasCode,
  throwNotFoundIfMissing,
  toObjectStat,
  syncFile,
  nullIfMissing,
  walkFiles,
} from './disk-files.ts'
import { openDiskObject } from './disk-object.ts'
import { openDiskParts } from './disk-parts.ts'
import { moveIntoPlace, pruneFolders, writeDurably } from './durable-files.ts'
import { openScratchFolders } from './scratch-folders.ts'
import {
  StorageError,
  installationFile,
  storageKey,
  storagePrefix,
  createWrongSizeError,
  type ObjectStat,
  type Storage,
} from './storage.ts'

/**
 * Opens the storage in `folder` and creates it if it is missing. Empties `workFolder` in it, which only this process
 * uses.
 */
export async function openDiskStorage(folder: string, workFolder = 'tmp'): Promise<Storage> {
  const objects = join(folder, 'objects')
  await mkdir(objects, { recursive: true, mode: 0o700 })
  const scratch = await openScratchFolders(join(folder, workFolder))
  const temporary = scratch.folder
  const pathOf = (key: string) => join(objects, ...storageKey(key).split('/'))

  const writer = createDiskWriter({ pathOf, temporary })
  const parts = await openDiskParts({ folder: join(folder, 'parts'), scratch, ...writer })

  const storage: Storage = {
    ...writer,
    open: async (key) => throwNotFoundIfMissing(key, openDiskObject(pathOf(key))),
    read: async (key) => throwNotFoundIfMissing(key, readFile(pathOf(key))),

    async stat(key) {
      const found = await stat(pathOf(key), { bigint: true }).catch(nullIfMissing)
      return found?.isFile() ? toObjectStat(found) : null
    },

    async delete(key) {
      const path = pathOf(key)
      await unlink(path).catch(nullIfMissing)
      await pruneFolders(dirname(path), objects)
      await parts.abort(key)
    },

    async *list(prefix) {
      // Only walks through the folders that the prefix names completely.
      const folderParts = storagePrefix(prefix).split('/').slice(0, -1)
      for await (const path of walkFiles(join(objects, ...folderParts))) {
        const key = path
          .slice(objects.length + 1)
          .split(sep)
          .join('/')
        if (key.startsWith(prefix)) yield key
      }
    },

    async withLocalFile(key, use) {
      if (!(await storage.stat(key))) throw new StorageError('not_found', `No object ${key}`)
      return use(pathOf(key))
    },

    withScratchFolder: scratch.withFolder,
    signedUrl: async () => null,
    parts,

    readInstallationId: () => readFile(join(folder, installationFile), 'utf8').catch(nullIfMissing),

    async writeInstallationId(id) {
      const path = join(temporary, randomUUID())
      await writeDurably(path, Readable.from([id]), undefined)
      await moveIntoPlace(path, join(folder, installationFile))
    },
  }
  return storage
}

/** Writes complete files. `temporary` must be on the same file system as the objects. */
function createDiskWriter({
  pathOf,
  temporary,
}: {
  pathOf: (key: string) => string
  temporary: string
}): Pick<Storage, 'put' | 'putFile'> {
  /**
   * The last step of every write: renames the file to its key. `path` must be complete, flushed and on the same file
   * system.
   */
  async function publish(key: string, path: string): Promise<ObjectStat> {
    const target = pathOf(key)
    await moveIntoPlace(path, target)
    return toObjectStat(await stat(target, { bigint: true }))
  }
  /** Calls `write` with a path in the temporary folder, and removes the file afterwards if it still exists. */
  async function withTemporary<T>(write: (path: string) => Promise<T>): Promise<T> {
    const path = join(temporary, randomUUID())
    try {
      return await write(path)
    } finally {
      await rm(path, { force: true })
    }
  }
  return {
    async put(key, body, { byteSize } = {}) {
      storageKey(key)
      return withTemporary(async (path) => {
        const stream = body instanceof Uint8Array ? Readable.from([body]) : body
        await writeDurably(path, stream, byteSize)
        return publish(key, path)
      })
    },
    async putFile(key, path, { byteSize } = {}) {
      storageKey(key)
      if (byteSize !== undefined && (await stat(path)).size !== byteSize)
        throw createWrongSizeError(byteSize)
      await syncFile(path)
      return publish(key, path).catch(async (error: unknown) => {
        if (!hasCode(error, 'EXDEV')) throw error
        return withTemporary(async (copy) => {
          await copyFile(path, copy, constants.COPYFILE_FICLONE)
          await syncFile(copy)
          const published = await publish(key, copy)
          await unlink(path)
          return published
        })
      })
    },
  }
}
