// When a listener requests a missing or damaged rendition, the track is reprocessed from its recording. Many reports
// start one repair.
import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import { transaction, type Database } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'

export type ReportDamage = (trackId: string, storageKey: string) => void

/** The files that were reported recently. Cached, because a player sends many range requests for the same file. */
const cacheLifetimeMs = 10 * 60_000

/**
 * Returns a function that reports a broken file. It returns immediately, enqueues the repair in the background and logs
 * failures.
 */
export function createRepairOnPlay(services: {
  db: Database
  jobs: Pick<JobQueue, 'enqueue'>
  log: Database['log']
}): ReportDamage {
  const reported = new LRUCache<string, true>({ max: 1000, ttl: cacheLifetimeMs })
  return (trackId, storageKey) => {
    if (reported.has(storageKey)) return
    reported.set(storageKey, true)
    repair(services, trackId, storageKey).catch((error: unknown) => {
      reported.delete(storageKey)
      services.log.warn({ err: error, storage_key: storageKey }, 'a repair was not enqueued')
    })
  }
}

async function repair(
  { db, jobs }: { db: Database; jobs: Pick<JobQueue, 'enqueue'> },
  trackId: string,
  storageKey: string,
): Promise<void> {
  await transaction(db, async (trx) => {
    // Enqueue a repair at most once a day for each file, whether or not processing succeeds.
    const { rows } = await sql<{ can_repair: boolean }>`
      insert into stored_files as s (storage_key, byte_size, problem, repair_queued_at)
      select r.storage_key, r.byte_size, 'missing', now() from renditions r
       where r.storage_key = ${storageKey} and r.track_id = ${trackId}
      on conflict (storage_key) do update
         set problem = coalesce(s.problem, 'missing'), repair_queued_at = now()
       where s.repair_queued_at is null or s.repair_queued_at < now() - interval '1 day'
      returning exists (
        select from tracks t left join stored_files src on src.storage_key = t.source_key
         where t.id = ${trackId} and t.source_key is not null and src.problem is null
      ) as can_repair`.execute(trx.query)
    if (rows.length === 0) return
    if (rows[0]!.can_repair) await jobs.enqueue(trx, 'process-track', { track_id: trackId })
    await notify(trx, 'tracks', trackId)
  })
}
