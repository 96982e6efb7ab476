// Caches each member's start screen. It is evicted when data that it shows changes, and when the member plays or likes
// something. Plays on other instances send no event, so entries also expire.
import { LRUCache } from 'lru-cache'
import type { Output } from '#contract/endpoint.ts'
import type { getHome } from '#contract/home.ts'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { readHome } from './home-operations.ts'

export interface HomeShelves {
  getHome: (ctx: MemberContext) => Promise<Output<typeof getHome>>
  /** Evicts a member's start screen. Call this after a change by the member that sends no event. */
  evict: (userId: string) => void
}

const maxCachedMembers = 5_000
const cacheLifetimeMs = 30_000

export function createHomeShelves(
  db: Database,
  bus: Pick<EventBus, 'on' | 'onMissed' | 'isConnected'>,
): HomeShelves {
  const shelves = new LRUCache<string, Promise<Output<typeof getHome>>>({
    max: maxCachedMembers,
    ttl: cacheLifetimeMs,
  })
  const evict = (userId: string) => void shelves.delete(userId)
  const evictAll = () => shelves.clear()
  bus.on('catalogue', evictAll)
  bus.on('releases', evictAll)
  bus.on('playlists', evictAll)
  bus.on('likes', evict)
  bus.on('shelves', evict)
  bus.onMissed(evictAll)
  return {
    evict,
    getHome(ctx) {
      if (!bus.isConnected()) return readHome(ctx)
      const { user_id } = ctx.actor
      const cached = shelves.get(user_id)
      if (cached) return cached
      const reading = readHome({ ...ctx, db })
      shelves.set(user_id, reading)
      reading.catch(() => {
        if (shelves.get(user_id) === reading) shelves.delete(user_id)
      })
      return reading
    },
  }
}
