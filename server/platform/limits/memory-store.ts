// Counts attempts in memory. Uses a monotonic clock, because with wall time a window would become an hour longer when
// the clock is set back an hour. Without a shared store, each instance has its own limit. With one, attempts are
// added to it in batches, so that a key with few attempts needs no query. Each instance may exceed the limit by at
// most one batch. If the database is unavailable, each instance counts alone.
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { LimitedKey } from './limit-keys.ts'
import type { LimitStore, Window } from './limit-store.ts'

const maxKeys = 20_000

interface Shared {
  store: LimitStore
  /** Size of a batch, as a fraction of the limit. */
  batchShare: number
  log: Pick<FastifyBaseLogger, 'warn'>
}

interface Counted {
  /** The count of all instances, as last read from the shared store. */
  stored: number
  /** Attempts on this instance since the shared store was last read. */
  count: number
  endsAtMs: number
  isStoring: boolean
}

export function createMemoryStore(shared?: Shared): LimitStore {
  const windows = new LRUCache<string, Counted>({ max: maxKeys })

  function addTo(limited: LimitedKey, attempts: number): Window {
    const { key, limit } = limited
    const now = performance.now()
    const known = windows.get(key)
    const window =
      known && now < known.endsAtMs
        ? known
        : { stored: 0, count: 0, endsAtMs: now + limit.seconds * 1000, isStoring: false }
    window.count += attempts
    windows.set(key, window)
    const count = window.stored + window.count
    if (shared && !window.isStoring) {
      const batch = Math.max(1, Math.floor(limit.count * shared.batchShare))
      // Beyond this count, further attempts are refused anyway, so they are not stored.
      if (window.count >= batch && count <= limit.count + batch) void store(shared, limited, window)
    }
    return { ...limited, count, msLeft: window.endsAtMs - now }
  }

  return { add: async (keys, attempts = 1) => keys.map((each) => addTo(each, attempts)) }
}

async function store(shared: Shared, limited: LimitedKey, window: Counted): Promise<void> {
  const { count } = window
  window.isStoring = true
  try {
    for (const total of await shared.store.add([limited], count)) {
      window.stored = total.count
      window.endsAtMs = performance.now() + total.msLeft
    }
  } catch (error) {
    shared.log.warn(
      { err: error },
      'the database is unavailable: attempts are counted by this instance alone',
    )
    window.stored += count
  }
  window.count -= count
  window.isStoring = false
}
