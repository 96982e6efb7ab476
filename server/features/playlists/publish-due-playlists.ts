// Shows scheduled curated playlists to members when their moment has come, on whichever instance sees it first.
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { publishedColumns } from '../availability/change-availability.ts'

const batchSize = 100

/** `now` is the time of the database. Returns how many were published. */
export async function publishDuePlaylists(db: Database, now: Date): Promise<number> {
  for (let done = 0; ;) {
    const count = await publishBatch(db, now)
    done += count
    if (count < batchSize) return done
  }
}

function publishBatch(db: Database, now: Date): Promise<number> {
  return transaction(db, async (trx) => {
    const due = await trx.query
      .selectFrom('playlists')
      .select(['id', 'release_at', 'release_zone', 'early_access_days', 'early_access_until'])
      .where('release_at', '<=', now.toISOString())
      .where('is_curated', '=', true)
      .where('is_visible', '=', false)
      .orderBy('release_at')
      .orderBy('id')
      .limit(batchSize)
      // Another instance is publishing these, or an admin changes them: the next run looks again.
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { id, ...playlist } of due) {
      const { release_at } = playlist
      await trx.query
        .updateTable('playlists')
        .set({ ...publishedColumns(playlist, new Date(release_at!)), is_visible: true })
        .where('id', '=', id)
        .execute()
      await writeAudit({ actor: null, ip: '' }, trx, {
        action: 'publish',
        entity: 'playlist',
        entity_id: id,
        after: { release_at, reason: 'the scheduled moment has come' },
      })
      await notify(trx, 'playlists', id)
    }
    return due.length
  })
}
