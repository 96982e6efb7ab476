// Which of a person's players had to give way to newer ones. Players ask for audio range by range, so it is
// kept in memory: dropped the moment it changes anywhere, and never older than some seconds.
import { LRUCache } from 'lru-cache'
import type { Database } from '../db/database.ts'
import type { EventBus } from '../events/event-bus.ts'

export interface DisplacedPlayers {
  has: (userId: string, playerId: string) => Promise<boolean>
  /** Something changed for this person. */
  forget: (userId: string) => void
}

const keptPeople = 10_000
const keptMs = 30_000

export function createDisplacedPlayers(services: {
  db: Database
  bus: Pick<EventBus, 'on' | 'onMissed' | 'isConnected'>
}): DisplacedPlayers {
  const { db, bus } = services
  // The reading itself is kept: one that a change overtakes is dropped with it.
  const kept = new LRUCache<string, Promise<Set<string>>>({ max: keptPeople, ttl: keptMs })
  const forget = (userId: string) => void kept.delete(userId)
  bus.on('players', (id) => forget(id.split('/')[0]!))
  bus.onMissed(() => kept.clear())

  function read(userId: string): Promise<Set<string>> {
    const reading = readDisplaced(db, userId)
    kept.set(userId, reading)
    reading.catch(() => {
      if (kept.peek(userId) === reading) kept.delete(userId)
    })
    return reading
  }
  return {
    async has(userId, playerId) {
      // Deaf to changes, nothing that was kept can be believed.
      const displaced = await ((bus.isConnected() && kept.get(userId)) || read(userId))
      return displaced.has(playerId)
    },
    forget,
  }
}

async function readDisplaced(db: Database, userId: string): Promise<Set<string>> {
  const rows = await db.query
    .selectFrom('players')
    .select('player_id')
    .where('user_id', '=', userId)
    .where('displaced_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ player_id }) => player_id))
}
