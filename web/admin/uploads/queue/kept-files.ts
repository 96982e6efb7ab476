// The files of the list: those available, those the browser can open again with permission, and those that must be
// dropped again. Holds only references; no file is read here.
import type { UploadArchive } from './upload-archive.ts'
import { defectOf, type FoundFile, type UploadItem } from './upload-item.ts'

/** Total size of the copies kept in browser storage, so those files survive a reload without user action. */
const maxCopiedBytes = 2 * 1024 ** 3

/** `change` updates an item of the list. */
export function keepFiles(
  archive: UploadArchive,
  change: (id: string, changes: Partial<UploadItem>) => Promise<void>,
) {
  const files = new Map<string, File>()
  const lacking = new Set<string>()
  const locked = new Map<string, FileSystemFileHandle>()
  /** Size of each copy, by item id. */
  const copies = new Map<string, number>()
  const copiedBytes = () => [...copies.values()].reduce((sum, bytes) => sum + bytes, 0)

  /** Stores the file or its handle, so it is found again after a reload. */
  async function keep(id: string, found: FoundFile): Promise<void> {
    const mayCopy =
      defectOf(found.file) === undefined && copiedBytes() + found.file.size <= maxCopiedBytes
    if (mayCopy) copies.set(id, found.file.size)
    await archive.keepFile(id, found, mayCopy).catch(async () => {
      // There is no room for a copy, but the handle alone may still fit.
      copies.delete(id)
      if (mayCopy && found.handle)
        await archive.keepFile(id, found, false).catch(noteStorageFailure)
    })
  }

  async function findAgain(item: UploadItem): Promise<void> {
    const kept = await archive.loadFile(item.id)
    const { handle, copy } = kept ?? { handle: null, copy: null }
    if (copy) {
      files.set(item.id, copy)
      copies.set(item.id, copy.size)
      return
    }
    lacking.add(item.id)
    if (!handle) return
    if ((await permissionOf(handle, 'query')) === 'granted') await takeFrom(handle, item)
    else locked.set(item.id, handle)
  }

  async function readAgain(item: UploadItem): Promise<void> {
    const kept = await archive.loadFile(item.id).catch(() => undefined)
    const handle = kept?.handle
    if (!handle) return
    const isAllowed = (await permissionOf(handle, 'request')) === 'granted'
    if (isAllowed) await takeFrom(handle, item)
  }

  /** A file that changed on disk since then is hashed and uploaded from the beginning. */
  async function takeFrom(handle: FileSystemFileHandle, item: UploadItem): Promise<void> {
    const file = await handle.getFile().catch(() => null)
    if (!file) return
    lacking.delete(item.id)
    locked.delete(item.id)
    files.set(item.id, file)
    if (file.size === item.byteSize && file.lastModified === item.modifiedAtMs) return
    const { size: byteSize, lastModified: modifiedAtMs } = file
    await change(item.id, { byteSize, modifiedAtMs, sha256: null, signed: null })
  }

  return {
    /** Available files, by item id. */
    files,
    /** Ids of items whose file is not available. */
    lacking,
    /** The lacking items whose file can be read again with permission. */
    locked,
    keep,
    findAgain,
    readAgain,
    /** Attaches the file of a lacking item. */
    give(id: string, found: FoundFile): void {
      lacking.delete(id)
      locked.delete(id)
      files.set(id, found.file)
      void keep(id, found)
    },
    /** Releases the file of an item. */
    release(id: string): void {
      copies.delete(id)
      files.delete(id)
      lacking.delete(id)
      locked.delete(id)
    },
    /** Requests permission for files dropped before the reload. Stops at the first refusal. */
    async unlock(itemOf: (id: string) => UploadItem | undefined): Promise<void> {
      for (const [id, handle] of locked) {
        const item = itemOf(id)
        if (!item || (await permissionOf(handle, 'request')) !== 'granted') return
        await takeFrom(handle, item)
      }
    },
  }
}

interface AskingHandle extends FileSystemFileHandle {
  queryPermission?: (wish: { mode: 'read' }) => Promise<PermissionState>
  requestPermission?: (wish: { mode: 'read' }) => Promise<PermissionState>
}

/** Only Chromium has handles with a permission API. */
async function permissionOf(
  handle: AskingHandle,
  how: 'query' | 'request',
): Promise<PermissionState> {
  const mode = { mode: 'read' } as const
  const answer = how === 'query' ? handle.queryPermission?.(mode) : handle.requestPermission?.(mode)
  return (await answer?.catch(() => 'denied' as const)) ?? 'denied'
}

/** The uploads continue. Only the list after the next reload is incomplete. */
export function noteStorageFailure(error: unknown): void {
  console.warn('The list of uploads could not be stored', error)
}
