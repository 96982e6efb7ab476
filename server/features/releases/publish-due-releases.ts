// Publishes scheduled releases whose date has passed, together with their tracks. Any instance may run this. A release
// without a visible track is published by a later run.
import { sql } from 'kysely'
import { toLocalTime } from '#contract/fields/zoned-time.ts'
import { transaction, type Database, type Handle } from '../../platform/db/database.ts'
import { publishEach } from '../availability/publish-each.ts'
import { publishLockedRelease } from './publish-release.ts'

/** `now` is the database's time. Returns the number of releases that were published. */
export async function publishDueReleases(db: Database, now: Date): Promise<number> {
  const due = await selectDueReleases(db, now)
    .select('id')
    .orderBy('release_at')
    .orderBy('id')
    .execute()
  return publishEach(due, (id) => publishDueRelease(db, id, now))
}

function selectDueReleases(handle: Handle, now: Date) {
  return handle.query
    .selectFrom('releases')
    .where('release_at', '<=', now.toISOString())
    .where('is_published', '=', false)
    .where('deleted_at', 'is', null)
    .where(
      sql<boolean>`exists (
        select from release_tracks e join tracks t on t.id = e.track_id
         where e.release_id = releases.id and t.deleted_at is null
           and (t.is_published or t.processing_status <> 'failed'))`,
    )
}

function publishDueRelease(db: Database, id: string, now: Date): Promise<boolean> {
  return transaction(db, async (trx) => {
    const release = await selectDueReleases(trx, now)
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!release?.release_at) return false
    const { release_at, release_zone, release_date } = release
    const from = new Date(release_at)
    // Lists are sorted by this day, so set it to the day of publication instead of the day of the draft.
    const day = toLocalTime(from, release_zone ?? 'UTC').slice(0, 'YYYY-MM-DD'.length)
    await publishLockedRelease(trx, null, release, {
      from,
      withTracks: true,
      ...(release_date === null && { more: { release_date: day } }),
      after: { release_at, reason: 'the scheduled moment has come' },
    })
    return true
  })
}
