// Stores in IndexedDB what has to survive a reload: the upload list, and a copy or handle of each file that is not
// uploaded yet.
import type { FoundFile, UploadItem } from './upload-item.ts'

interface StoredFile {
  id: string
  handle: FileSystemFileHandle | null
  copy: File | null
}

export interface UploadStorage {
  load: () => Promise<UploadItem[]>
  save: (items: readonly UploadItem[]) => Promise<void>
  /** Stores the handle of the file. If `mayCopy` is true, stores a copy, too. */
  storeFile: (id: string, found: FoundFile, mayCopy: boolean) => Promise<void>
  loadFile: (id: string) => Promise<StoredFile | undefined>
  deleteFile: (id: string) => Promise<void>
  remove: (ids: readonly string[]) => Promise<void>
  close: () => void
}

/**
 * Opens the database of this user. Each user has their own, so that others don't see their uploads. Without IndexedDB
 * nothing is stored.
 */
export async function openUploadStorage(userId: string): Promise<UploadStorage> {
  const database = await openDatabase(`velour-uploads-${userId}`)
  return database ? createDatabaseStorage(database) : noStorage()
}

function openDatabase(name: string): Promise<IDBDatabase | null> {
  if (typeof indexedDB === 'undefined') return Promise.resolve(null)
  return new Promise((resolve) => {
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('items', { keyPath: 'id' })
      request.result.createObjectStore('files', { keyPath: 'id' })
    })
    request.addEventListener('success', () => resolve(request.result))
    // Some browsers block IndexedDB in private windows. Uploads work, but don't survive a reload.
    request.addEventListener('error', () => resolve(null))
  })
}

function createDatabaseStorage(database: IDBDatabase): UploadStorage {
  const write = (
    stores: string[],
    act: (store: (name: string) => IDBObjectStore) => void,
  ): Promise<void> =>
    new Promise((resolve, reject) => {
      const writing = database.transaction(stores, 'readwrite')
      writing.addEventListener('complete', () => resolve())
      writing.addEventListener('error', () => reject(toStorageError(writing.error)))
      writing.addEventListener('abort', () => reject(toStorageError(writing.error)))
      act((name) => writing.objectStore(name))
    })
  const read = <Result>(
    store: string,
    makeRequest: (store: IDBObjectStore) => IDBRequest<Result>,
  ) =>
    new Promise<Result>((resolve, reject) => {
      const request = makeRequest(database.transaction(store).objectStore(store))
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(toStorageError(request.error)))
    })
  return {
    async load() {
      const items = await read<UploadItem[]>('items', (store) => store.getAll())
      return items.toSorted((a, b) => a.position - b.position)
    },
    save: (items) =>
      write(['items'], (store) => {
        for (const item of items) store('items').put(item)
      }),
    storeFile: (id, { file, handle }, mayCopy) =>
      write(['files'], (store) => {
        const stored: StoredFile = { id, handle: handle ?? null, copy: mayCopy ? file : null }
        store('files').put(stored)
      }),
    loadFile: (id) => read<StoredFile | undefined>('files', (store) => store.get(id)),
    deleteFile: (id) => write(['files'], (store) => void store('files').delete(id)),
    remove: (ids) =>
      write(['items', 'files'], (store) => {
        for (const id of ids) {
          store('items').delete(id)
          store('files').delete(id)
        }
      }),
    close: () => database.close(),
  }
}

function noStorage(): UploadStorage {
  return {
    load: () => Promise.resolve([]),
    save: () => Promise.resolve(),
    storeFile: () => Promise.resolve(),
    loadFile: () => Promise.resolve(undefined),
    deleteFile: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    close: () => {},
  }
}

function toStorageError(error: DOMException | null): Error {
  return error ?? new Error('The browser could not store the list of uploads')
}
