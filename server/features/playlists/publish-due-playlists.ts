// Publishes scheduled curated playlists whose release date has passed. Any instance may run this.
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Database, type Handle } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { getPublishedColumns } from '../availability/change-availability.ts'
import { publishEach } from '../availability/publish-each.ts'

/** `now` is the database's time. Returns the number of playlists that were published. */
export async function publishDuePlaylists(db: Database, now: Date): Promise<number> {
  const due = await duePlaylists(db, now).select('id').orderBy('release_at').orderBy('id').execute()
  return publishEach(due, (id) => publishDuePlaylist(db, id, now))
}

function duePlaylists(handle: Handle, now: Date) {
  return handle.query
    .selectFrom('playlists')
    .where('release_at', '<=', now.toISOString())
    .where('is_curated', '=', true)
    .where('is_visible', '=', false)
}

function publishDuePlaylist(db: Database, id: string, now: Date): Promise<boolean> {
  return transaction(db, async (trx) => {
    const playlist = await duePlaylists(trx, now)
      .select(['release_at', 'release_zone', 'early_access_days', 'early_access_until'])
      .where('id', '=', id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!playlist?.release_at) return false
    const { release_at } = playlist
    await trx.query
      .updateTable('playlists')
      .set({ ...getPublishedColumns(playlist, new Date(release_at)), is_visible: true })
      .where('id', '=', id)
      .execute()
    await writeAudit({ actor: null, ip: '' }, trx, {
      action: 'publish',
      entity: 'playlist',
      entity_id: id,
      after: { release_at, reason: 'the scheduled moment has come' },
    })
    await notify(trx, 'playlists', id)
    return true
  })
}
