// Caches sessions that were checked in the last few seconds. Changes of a person or their sessions evict them. While
// the event connection is down, nothing is cached.
import { LRUCache } from 'lru-cache'
import type { EventBus } from '../../../platform/events/event-bus.ts'
import type { Actor } from '../../../platform/operations/context.ts'

export interface CheckedSession {
  actor: Actor
  cookie: string
  /** Whether the cookie is signed with a previous secret. */
  isOld: boolean
  checkedAtMs: number
  expiresAtMs: number
}

export interface SessionCache {
  /** Undefined if the session is not cached, was cached too long ago or has expired. */
  find: (cookie: string, nowMs: number) => CheckedSession | undefined
  has: (cookie: string) => boolean
  /** Calls `read` and caches its result, unless a change was notified in the meantime. */
  fill: (read: () => Promise<CheckedSession | null>) => Promise<CheckedSession | null>
  delete: (cookie: string) => void
  /** Evicts all sessions of a person. */
  evict: (userId: string) => void
}

export const cacheMs = 10_000
const maxCachedSessions = 20_000

export function createSessionCache(
  bus: Pick<EventBus, 'on' | 'onMissed' | 'isConnected'>,
): SessionCache {
  const cookiesByPerson = new Map<string, Set<string>>()
  // The key is the full signed cookie value, which only the session's owner has, so a cache hit needs no HMAC check.
  const known = new LRUCache<string, CheckedSession>({
    max: maxCachedSessions,
    dispose: ({ actor, cookie }) => {
      const values = cookiesByPerson.get(actor.user_id)
      values?.delete(cookie)
      if (values?.size === 0) cookiesByPerson.delete(actor.user_id)
    },
  })
  // Incremented on every change notification. A session that was read while this changed may be stale and is not
  // cached.
  let changes = 0
  const evict = (userId: string) => {
    changes += 1
    for (const cookie of cookiesByPerson.get(userId) ?? []) known.delete(cookie)
  }
  bus.on('sessions', evict)
  bus.onMissed(() => {
    changes += 1
    known.clear()
  })
  return {
    find(cookie, nowMs) {
      const entry = bus.isConnected() ? known.get(cookie) : undefined
      const isFresh =
        entry && Math.abs(nowMs - entry.checkedAtMs) < cacheMs && nowMs < entry.expiresAtMs
      return isFresh ? entry : undefined
    },
    has: (cookie) => known.has(cookie),
    async fill(read) {
      const before = changes
      const entry = await read()
      if (entry && changes === before && bus.isConnected()) {
        known.set(entry.cookie, entry)
        const values = cookiesByPerson.get(entry.actor.user_id) ?? new Set()
        cookiesByPerson.set(entry.actor.user_id, values.add(entry.cookie))
      }
      return entry
    },
    delete: (cookie) => void known.delete(cookie),
    evict,
  }
}
