// Publishes scheduled tracks whose moment has come, on whichever instance sees it first. One that is still being
// processed is published by a later run.
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { published } from './admin-track-fields.ts'

const batchSize = 100

/** `now` is the time of the database. Returns how many were published. */
export async function publishDueTracks(db: Database, now: Date): Promise<number> {
  for (let done = 0; ;) {
    const count = await publishBatch(db, now)
    done += count
    if (count < batchSize) return done
  }
}

function publishBatch(db: Database, now: Date): Promise<number> {
  return transaction(db, async (trx) => {
    const due = await trx.query
      .selectFrom('tracks')
      .select(['id', 'release_at', 'release_zone', 'early_access_days', 'early_access_until'])
      .where('release_at', '<=', now.toISOString())
      .where('is_published', '=', false)
      .where('deleted_at', 'is', null)
      .where('processing_status', '=', 'ready')
      .orderBy('release_at')
      .orderBy('id')
      .limit(batchSize)
      // Another instance is publishing these, or an admin changes them: the next run looks again.
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { id, ...track } of due) {
      const { release_at } = track
      await trx.query
        .updateTable('tracks')
        .set({ ...published(track, new Date(release_at!)), updated_at: now.toISOString() })
        .where('id', '=', id)
        .execute()
      await writeAudit({ actor: null, ip: '' }, trx, {
        action: 'publish',
        entity: 'track',
        entity_id: id,
        after: { release_at, reason: 'the scheduled moment has come' },
      })
      await notify(trx, 'tracks', id)
    }
    return due.length
  })
}
