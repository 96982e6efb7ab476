// Permanently deletes objects whose deletion can no longer be undone.
import { sql } from 'kysely'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import type { DeletedEntity } from '../../platform/db/tables.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { deletePicture } from '../pictures/store-picture.ts'
import { discardKeys } from '../../platform/storage/storage-garbage.ts'

/**
 * How long the record of a permanently deleted object is kept. Until the storage sweep has deleted the object's
 * pictures, the record prevents that they are served.
 */
const purgedLifetimeDays = 1

interface DueDeletion {
  id: string
  entity: DeletedEntity
  entity_id: string
  cover_id: string | null
}

/**
 * Uses one transaction per deletion, so nothing is lost in a crash between two of them. Several instances can run this
 * concurrently.
 */
export async function purgeDeletions(db: Database, signal?: AbortSignal): Promise<number> {
  let count = 0
  while (!signal?.aborted && (await purgeNext(db))) count += 1
  await db.query
    .deleteFrom('deletions')
    .where('purged_at', '<', sql<string>`now() - make_interval(days => ${purgedLifetimeDays})`)
    .execute()
  return count
}

/**
 * Permanently deletes a member's deleted objects, without waiting for the end of the undo period, because the member's
 * account is deleted.
 */
export async function purgeMemberDeletions(trx: Transaction, ownerId: string): Promise<void> {
  const open = await trx.query
    .selectFrom('deletions')
    .select(['id', 'entity', 'entity_id', 'cover_id'])
    .where('owner_id', '=', ownerId)
    .where('purged_at', 'is', null)
    .forUpdate()
    .execute()
  for (const deletion of open) await purge(trx, deletion)
}

function purgeNext(db: Database): Promise<boolean> {
  return transaction(db, async (trx) => {
    const due = await trx.query
      .selectFrom('deletions')
      .select(['id', 'entity', 'entity_id', 'cover_id'])
      .where('purged_at', 'is', null)
      .where('undo_until', '<=', sql<string>`now()`)
      .orderBy('undo_until')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (due) await purge(trx, due)
    return due !== undefined
  })
}

async function purge(trx: Transaction, deletion: DueDeletion): Promise<void> {
  if (deletion.entity === 'track') await purgeTrack(trx, deletion.entity_id)
  if (deletion.entity === 'release') await purgeRelease(trx, deletion.entity_id)
  if (deletion.cover_id) await deletePicture(trx, deletion.cover_id)
  await trx.query
    .updateTable('deletions')
    .set({ purged_at: sql<string>`now()`, kept: '{}' })
    .where('id', '=', deletion.id)
    .execute()
}

/** Permanently deletes a release's row and everything that references it. */
async function purgeRelease(trx: Transaction, id: string): Promise<void> {
  await trx.query
    .deleteFrom('releases')
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .execute()
}

/** Permanently deletes a track's row, everything that references it, and its files. */
async function purgeTrack(trx: Transaction, id: string): Promise<void> {
  const renditions = await trx.query
    .deleteFrom('renditions')
    .where('track_id', '=', id)
    .returning('storage_key')
    .execute()
  const evidence = await trx.query
    .deleteFrom('track_evidence')
    .where('track_id', '=', id)
    .returning('storage_key')
    .execute()
  const track = await trx.query
    .deleteFrom('tracks')
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .returning('source_key')
    .executeTakeFirst()
  await discardKeys(trx, [
    ...[...renditions, ...evidence].map(({ storage_key }) => storage_key),
    ...(track?.source_key ? [track.source_key] : []),
  ])
  await notify(trx, 'tracks', id)
}
