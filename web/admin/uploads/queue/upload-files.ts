// The file of each list item: available, reopenable with permission, or missing until the user drops it again. Stores
// only references, and doesn't read the content.
import type { UploadStorage } from './upload-storage.ts'
import { findFileProblem, type FoundFile, type UploadItem } from './upload-item.ts'

/** Maximum total size of the copies in browser storage. Copied files survive a reload without user action. */
export const maxCopiedBytes = 2 * 1024 ** 3

type ChangeItem = (id: string, changes: Partial<UploadItem>) => Promise<void>

export class UploadFiles {
  /** Available files, by item id. */
  readonly available = new Map<string, File>()
  /** Ids of items whose file is not available. */
  readonly missing = new Set<string>()
  /** The missing items whose file can be read again with permission. */
  readonly #locked = new Map<string, FileSystemFileHandle>()
  /** Size of each copy, by item id. */
  readonly #copySizes = new Map<string, number>()
  readonly #storage: UploadStorage
  readonly #change: ChangeItem

  /** `change` updates a list item. */
  constructor(storage: UploadStorage, change: ChangeItem) {
    this.#storage = storage
    this.#change = change
  }

  get lockedCount(): number {
    return this.#locked.size
  }

  /** Stores the file or its handle, so that it can be reopened after a reload. */
  async store(id: string, found: FoundFile): Promise<void> {
    const copiedBytes = [...this.#copySizes.values()].reduce((sum, bytes) => sum + bytes, 0)
    const mayCopy =
      findFileProblem(found.file) === undefined && copiedBytes + found.file.size <= maxCopiedBytes
    if (mayCopy) this.#copySizes.set(id, found.file.size)
    await this.#storage.storeFile(id, found, mayCopy).catch(async () => {
      // There is no space for a copy, but the handle alone may still fit.
      this.#copySizes.delete(id)
      if (mayCopy && found.handle)
        await this.#storage.storeFile(id, found, false).catch(logStorageFailure)
    })
  }

  /** Restores the files after a reload. */
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

  /** Assigns a file to an item that lacks one. */
  attach(id: string, found: FoundFile): void {
    this.missing.delete(id)
    this.#locked.delete(id)
    this.available.set(id, found.file)
    void this.store(id, found)
  }

  /** Releases the file of an item. */
  release(id: string): void {
    this.#copySizes.delete(id)
    this.available.delete(id)
    this.missing.delete(id)
    this.#locked.delete(id)
  }

  /** Requests permission for files dropped before the reload. Stops when permission is denied. */
  async unlock(itemOf: (id: string) => UploadItem | undefined): Promise<void> {
    for (const [id, handle] of this.#locked) {
      const item = itemOf(id)
      if (!item || (await getFilePermission(handle, 'request')) !== 'granted') return
      await this.#readFrom(handle, item)
    }
  }

  /** A file that has changed on disk is hashed and uploaded from the beginning. */
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

/** Only Chromium has file handles with a permission API. */
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

/** Uploads continue after such an error, but the list will be incomplete after the next reload. */
export function logStorageFailure(error: unknown): void {
  console.warn('The list of uploads could not be stored', error)
}
