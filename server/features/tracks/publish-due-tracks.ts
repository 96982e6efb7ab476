// Publishes scheduled tracks whose release date has passed. Any instance may run this. A track that is still being
// processed is published by a later run.
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Database, type Handle } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { publishEach } from '../availability/publish-each.ts'
import { getPublishedTrackColumns } from './admin-track-fields.ts'

/** `now` is the database's time. Returns the number of tracks that were published. */
export async function publishDueTracks(db: Database, now: Date): Promise<number> {
  const due = await selectDueTracks(db, now)
    .select('id')
    .orderBy('release_at')
    .orderBy('id')
    .execute()
  return publishEach(due, (id) => publishDueTrack(db, id, now))
}

function selectDueTracks(handle: Handle, now: Date) {
  return handle.query
    .selectFrom('tracks')
    .where('release_at', '<=', now.toISOString())
    .where('is_published', '=', false)
    .where('deleted_at', 'is', null)
    .where('processing_status', '=', 'ready')
}

function publishDueTrack(db: Database, id: string, now: Date): Promise<boolean> {
  return transaction(db, async (trx) => {
    const track = await selectDueTracks(trx, now)
      .select(['release_at', 'release_zone', 'early_access_days', 'early_access_until'])
      .where('id', '=', id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!track?.release_at) return false
    const { release_at } = track
    await trx.query
      .updateTable('tracks')
      .set({
        ...getPublishedTrackColumns(track, new Date(release_at)),
        updated_at: now.toISOString(),
      })
      .where('id', '=', id)
      .execute()
    await writeAudit({ actor: null, ip: '' }, trx, {
      action: 'publish',
      entity: 'track',
      entity_id: id,
      after: { release_at, reason: 'the scheduled moment has come' },
    })
    await notify(trx, 'tracks', id)
    return true
  })
}
