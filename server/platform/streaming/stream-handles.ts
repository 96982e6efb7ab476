// Keeps files that are being played open, so that a range request costs one read and no open. A handle is closed when
// it is unused for a while or evicted, but never while a stream still reads from it.
import { LRUCache } from 'lru-cache'
import type { OpenObject, Storage } from '../storage/storage.ts'

/** An open object. Call `release` after use. */
export interface Handle {
  readonly object: OpenObject
  /** Further calls do nothing. */
  release(): void
}

export interface HandleCache {
  /** Throws a StorageError `not_found`. */
  acquire(key: string): Promise<Handle>
  /** How many objects are open. */
  readonly openCount: number
  /** Closes objects that were not requested for `idleMs`. */
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
      // A failed open was already reported to its caller.
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
