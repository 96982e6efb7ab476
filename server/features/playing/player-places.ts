// Player places: how many of a person's players may play at the same time depends on the plan. Stores which players
// hold a place and which were displaced by newer ones. Players send many range requests, so the rows are cached for at
// most 30 seconds and evicted when any instance changes them.
import { LRUCache } from 'lru-cache'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'

export interface CachedPlayer {
  player_id: string
  device_id: string | null
  seen_at: string
  /** When a newer player took the place. Null if this player holds a place. */
  displaced_at: string | null
}

export interface PlayerPlaces {
  /** Returns a player from the cache or the database. Null if it never started or has stopped. */
  find: (userId: string, playerId: string) => Promise<CachedPlayer | null>
  /** Like find(), but always reads the database. */
  findNow: (userId: string, playerId: string) => Promise<CachedPlayer | null>
  /** Evicts a person's players from the cache. */
  evict: (userId: string) => void
}

type PlayersById = Map<string, CachedPlayer>

const maxCachedPeople = 10_000
const cacheLifetimeMs = 30_000

export function createPlayerPlaces(services: {
  db: Database
  bus: Pick<EventBus, 'on' | 'onMissed' | 'isConnected'>
}): PlayerPlaces {
  const { db, bus } = services
  // Cache the promise, so that a change can evict the entry while it is being read.
  const cached = new LRUCache<string, Promise<PlayersById>>({
    max: maxCachedPeople,
    ttl: cacheLifetimeMs,
  })
  const evict = (userId: string) => void cached.delete(userId)
  bus.on('players', (id) => evict(id.split('/')[0]!))
  bus.onMissed(() => cached.clear())

  function read(userId: string): Promise<PlayersById> {
    const reading = readPlayers(db, userId)
    cached.set(userId, reading)
    reading.catch(() => {
      if (cached.peek(userId) === reading) cached.delete(userId)
    })
    return reading
  }
  return {
    async find(userId, playerId) {
      // While the event connection is down, the cache may be stale: do not use it.
      const players = await ((bus.isConnected() && cached.get(userId)) || read(userId))
      return players.get(playerId) ?? null
    },
    async findNow(userId, playerId) {
      return (await read(userId)).get(playerId) ?? null
    },
    evict,
  }
}

async function readPlayers(db: Database, userId: string): Promise<PlayersById> {
  const rows = await db.query
    .selectFrom('players')
    .select(['player_id', 'device_id', 'seen_at', 'displaced_at'])
    .where('user_id', '=', userId)
    .execute()
  return new Map(rows.map((row) => [row.player_id, row]))
}
