// Stores in IndexedDB what is needed to resume an archive upload after a reload. Each user has at most one upload.
import type { SignedUpload } from '../uploads/queue/send-file.ts'

export interface StoredUpload {
  name: string
  byteSize: number
  modifiedAtMs: number
  signed: SignedUpload
  /** Reopens the file, or the folder that is packed into the archive, after a reload. */
  handle: FileSystemHandle | null
  copy: File | null
  isFolder: boolean
}

export interface ArchiveStore {
  load: () => Promise<StoredUpload | undefined>
  save: (stored: StoredUpload) => Promise<void>
  remove: () => Promise<void>
  close: () => void
}

const store = 'archive'
const key = 'interrupted'

/** Resolves to null if the browser can't store the upload. Such an upload can't be resumed after the page is closed. */
export async function openArchiveStore(userId: string): Promise<ArchiveStore | null> {
  const database = await openDatabase(`velour-archive-${userId}`)
  if (!database) return null
  const run = <Result>(
    mode: IDBTransactionMode,
    ask: (objects: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> =>
    new Promise((resolve, reject) => {
      const running = database.transaction(store, mode)
      const request = ask(running.objectStore(store))
      const fail = () =>
        reject(running.error ?? new Error('The browser could not store the upload'))
      running.addEventListener('complete', () => resolve(request.result))
      running.addEventListener('error', fail)
      running.addEventListener('abort', fail)
    })
  return {
    async load() {
      const stored = await run<StoredUpload | undefined>('readonly', (objects) => objects.get(key))
      // Some browsers store the record without the file.
      return stored && { ...stored, copy: stored.copy instanceof File ? stored.copy : null }
    },
    save: async (stored) => void (await run('readwrite', (objects) => objects.put(stored, key))),
    remove: () => run('readwrite', (objects) => objects.delete(key)),
    close: () => database.close(),
  }
}

function openDatabase(name: string): Promise<IDBDatabase | null> {
  if (typeof indexedDB === 'undefined') return Promise.resolve(null)
  return new Promise((resolve) => {
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => request.result.createObjectStore(store))
    request.addEventListener('success', () => resolve(request.result))
    // Private windows of some browsers block IndexedDB.
    request.addEventListener('error', () => resolve(null))
  })
}
