// Which of a person's players hold a place, and which were displaced by newer ones. Players request audio in ranges, so
// the result is cached in memory: evicted when it changes on any instance, and never older than 30 seconds.
import { LRUCache } from 'lru-cache'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'

export interface KnownPlayer {
  player_id: string
  device_id: string | null
  seen_at: string
  /** Null: the player holds a place. */
  displaced_at: string | null
}

export interface PlayerPlaces {
  /** Null for a player that never started, or that stopped. */
  find: (userId: string, playerId: string) => Promise<KnownPlayer | null>
  /** The same without the cache. */
  findNow: (userId: string, playerId: string) => Promise<KnownPlayer | null>
  /** Evicts a person from the cache. */
  evict: (userId: string) => void
}

type PlayersById = Map<string, KnownPlayer>

const cachedPeople = 10_000
const cachedMs = 30_000

export function createPlayerPlaces(services: {
  db: Database
  bus: Pick<EventBus, 'on' | 'onMissed' | 'isConnected'>
}): PlayerPlaces {
  const { db, bus } = services
  // The pending read itself is cached, so that a change during the read evicts it.
  const cached = new LRUCache<string, Promise<PlayersById>>({ max: cachedPeople, ttl: cachedMs })
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
      // While the event connection is down the cache may be stale.
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
