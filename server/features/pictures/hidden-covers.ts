// Lists the covers of recently deleted objects: their files still exist but must not be served. There are few, so each
// instance caches the list in memory and evicts it when something is deleted or restored.
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'

export interface HiddenCovers {
  has: (coverId: string) => Promise<boolean>
}

export function createHiddenCovers(services: {
  db: Database
  bus: Pick<EventBus, 'on' | 'onMissed' | 'isConnected'>
}): HiddenCovers {
  const { db, bus } = services
  let cached: Promise<Set<string>> | null = null
  const drop = () => {
    cached = null
  }
  bus.on('deletions', drop)
  bus.onMissed(drop)

  function read(): Promise<Set<string>> {
    const reading = readHiddenCovers(db)
    cached = reading
    reading.catch(() => {
      if (cached === reading) drop()
    })
    return reading
  }

  return {
    async has(coverId) {
      // While the event connection is down, the cached list may be stale: read it again.
      const covers = await ((bus.isConnected() && cached) || read())
      return covers.has(coverId)
    },
  }
}

async function readHiddenCovers(db: Database): Promise<Set<string>> {
  const rows = await db.query
    .selectFrom('deletions')
    .select('cover_id')
    .where('cover_id', 'is not', null)
    .execute()
  return new Set(rows.map(({ cover_id }) => cover_id ?? ''))
}
