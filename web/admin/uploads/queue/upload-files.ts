// The files of the upload list. A file is available, or readable once the user grants permission, or missing until it
// is dropped again. Holds references to the files and doesn't read them.
import type { UploadStorage } from './upload-storage.ts'
import { findFileProblem, type FoundFile, type UploadItem } from './upload-item.ts'

/**
 * Maximum size of all copies in the browser's storage. A copied file survives a reload without any action of the user.
 */
export const maxCopiedBytes = 2 * 1024 ** 3

type ChangeItem = (id: string, changes: Partial<UploadItem>) => Promise<void>

export class UploadFiles {
  /** Available files, by item id. */
  readonly available = new Map<string, File>()
  /** Ids of items whose files are not available. */
  readonly missing = new Set<string>()
  /** Handles of missing files that can be read once the user grants permission, by item id. */
  readonly #locked = new Map<string, FileSystemFileHandle>()
  /** Size of each file that is copied to the browser's storage, by item id. */
  readonly #copySizes = new Map<string, number>()
  readonly #storage: UploadStorage
  readonly #change: ChangeItem

  /** `change` updates an item of the list. */
  constructor(storage: UploadStorage, change: ChangeItem) {
    this.#storage = storage
    this.#change = change
  }

  get lockedCount(): number {
    return this.#locked.size
  }

  /** Stores a handle or a copy of the file, to reopen it after a reload. */
  async store(id: string, found: FoundFile): Promise<void> {
    const copiedBytes = [...this.#copySizes.values()].reduce((sum, bytes) => sum + bytes, 0)
    const mayCopy =
      findFileProblem(found.file) === undefined && copiedBytes + found.file.size <= maxCopiedBytes
    if (mayCopy) this.#copySizes.set(id, found.file.size)
    await this.#storage.storeFile(id, found, mayCopy).catch(async () => {
      // There is no space for a copy. Try to store only the handle.
      this.#copySizes.delete(id)
      if (mayCopy && found.handle)
        await this.#storage.storeFile(id, found, false).catch(logStorageFailure)
    })
  }

  /** Reopens the file of an item after a reload. */
  async restore(item: UploadItem): Promise<void> {
    const entry = await this.#storage.loadFile(item.id)
    const { handle, copy } = entry ?? { handle: null, copy: null }
    if (copy) {
      this.available.set(item.id, copy)
      this.#copySizes.set(item.id, copy.size)
      return
    }
    this.missing.add(item.id)
    if (!handle) return
    if ((await getFilePermission(handle, 'query')) === 'granted') await this.#readFrom(handle, item)
    else this.#locked.set(item.id, handle)
  }

  async reopen(item: UploadItem): Promise<void> {
    const entry = await this.#storage.loadFile(item.id).catch(() => undefined)
    const handle = entry?.handle
    if (!handle) return
    const isAllowed = (await getFilePermission(handle, 'request')) === 'granted'
    if (isAllowed) await this.#readFrom(handle, item)
  }

  /** Gives an item the file that it lacked. */
  attach(id: string, found: FoundFile): void {
    this.missing.delete(id)
    this.#locked.delete(id)
    this.available.set(id, found.file)
    void this.store(id, found)
  }

  /** Forgets the file of an item. */
  release(id: string): void {
    this.#copySizes.delete(id)
    this.available.delete(id)
    this.missing.delete(id)
    this.#locked.delete(id)
  }

  /** Asks for permission to read files that were dropped before the reload. Stops when the user denies it. */
  async unlock(itemOf: (id: string) => UploadItem | undefined): Promise<void> {
    for (const [id, handle] of this.#locked) {
      const item = itemOf(id)
      if (!item || (await getFilePermission(handle, 'request')) !== 'granted') return
      await this.#readFrom(handle, item)
    }
  }

  /** Reads the file again. If it has changed on disk, it is hashed and uploaded from the start. */
  async #readFrom(handle: FileSystemFileHandle, item: UploadItem): Promise<void> {
    const file = await handle.getFile().catch(() => null)
    if (!file) return
    this.missing.delete(item.id)
    this.#locked.delete(item.id)
    this.available.set(item.id, file)
    if (file.size === item.byteSize && file.lastModified === item.modifiedAtMs) return
    const { size: byteSize, lastModified: modifiedAtMs } = file
    await this.#change(item.id, { byteSize, modifiedAtMs, sha256: null, signed: null })
  }
}

interface PermissionHandle extends FileSystemHandle {
  queryPermission?: (options: { mode: 'read' }) => Promise<PermissionState>
  requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState>
}

/** Only Chromium has this permission API for file handles. */
export async function getFilePermission(
  handle: FileSystemHandle,
  how: 'query' | 'request',
): Promise<PermissionState> {
  const mode = { mode: 'read' } as const
  const permissionHandle: PermissionHandle = handle
  const answer =
    how === 'query'
      ? permissionHandle.queryPermission?.(mode)
      : permissionHandle.requestPermission?.(mode)
  return (await answer?.catch(() => 'denied' as const)) ?? 'denied'
}

/** Logs that the list couldn't be stored. Uploads continue, but after a reload the list will be incomplete. */
export function logStorageFailure(error: unknown): void {
  console.warn('The list of uploads could not be stored', error)
}
