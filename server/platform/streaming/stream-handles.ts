// Keeps files that are being played open, so that a range request needs only a read. A file is closed when it is
// unused for a while or evicted, but never while a stream is reading it.
import { LRUCache } from 'lru-cache'
import type { OpenObject, Storage } from '../storage/storage.ts'

/** An open object. Call `release` after use. */
export interface Handle {
  readonly object: OpenObject
  /** May be called repeatedly. Only the first call has an effect. */
  release(): void
}

export interface HandleCache {
  /** Throws a StorageError `not_found`. */
  acquire(key: string): Promise<Handle>
  /** The number of open objects. */
  readonly openCount: number
  /** Closes objects that were not requested for `idleMs` milliseconds. */
  closeIdle(): void
  /** Closes unused objects now, and the others when they are released. */
  close(): void
}

interface Entry {
  opening: Promise<OpenObject>
  loans: number
  isRetired: boolean
}

export function createHandleCache(
  storage: Storage,
  options: { maxKept: number; idleMs: number; onCloseError: (error: unknown) => void },
): HandleCache {
  let openCount = 0
  const entries = new LRUCache<string, Entry>({
    max: options.maxKept,
    ttl: options.idleMs,
    updateAgeOnGet: true,
    dispose: (entry) => {
      entry.isRetired = true
      closeUnlessInUse(entry)
    },
  })

  function closeUnlessInUse(entry: Entry): void {
    if (!entry.isRetired || entry.loans > 0) return
    entry.opening
      // If opening fails, the caller has already got the error.
      .then(
        (object) => {
          openCount--
          return object.close()
        },
        () => {},
      )
      .catch(options.onCloseError)
  }

  function openEntry(key: string): Entry {
    const opening = storage.open(key)
    const entry: Entry = { opening, loans: 0, isRetired: false }
    entries.set(key, entry)
    opening.then(
      () => openCount++,
      () => {
        if (entries.peek(key) === entry) entries.delete(key)
      },
    )
    return entry
  }

  return {
    async acquire(key) {
      const entry = entries.get(key) ?? openEntry(key)
      entry.loans++
      let isHeld = true
      const release = () => {
        if (!isHeld) return
        isHeld = false
        entry.loans--
        closeUnlessInUse(entry)
      }
      try {
        return { object: await entry.opening, release }
      } catch (error) {
        release()
        throw error
      }
    },
    get openCount() {
      return openCount
    },
    closeIdle: () => void entries.purgeStale(),
    close: () => entries.clear(),
  }
}
