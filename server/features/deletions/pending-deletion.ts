// Records a deletion that can still be undone. The record is written in the deleting transaction, so neither the
// deletion nor the undo data can be lost in a crash.
import { sql } from 'kysely'
import type { Transaction } from '../../platform/db/database.ts'
import type { DeletedEntity } from '../../platform/db/tables.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'

/**
 * How long a deletion can be undone. Longer than the message with the Undo button, which stays open while the pointer
 * is over it.
 */
export const undoSeconds = 60

export interface Deletion {
  entity: DeletedEntity
  entity_id: string
  /** The member to whom the deleted object belongs. Null for objects of the service. */
  owner_id?: string | null
  cover_id: string | null
  /** The data needed to restore or permanently delete the object. */
  kept: unknown
}

export async function recordDeletion(trx: Transaction, deletion: Deletion): Promise<void> {
  await trx.query
    .insertInto('deletions')
    .values({
      ...deletion,
      kept: JSON.stringify(deletion.kept),
      undo_until: sql<string>`now() + make_interval(secs => ${undoSeconds})`,
    })
    .execute()
  await notify(trx, 'deletions')
}

/**
 * Removes the record of a deletion and returns its data, so that the caller can restore the object. Throws
 * `undo_expired` if it is too late, the object was already restored, or it was never deleted.
 */
export async function claimDeletion<Data>(
  trx: Transaction,
  { entity, entity_id, owner_id = null }: Pick<Deletion, 'entity' | 'entity_id' | 'owner_id'>,
): Promise<Data> {
  const taken = await trx.query
    .deleteFrom('deletions')
    .where('entity', '=', entity)
    .where('entity_id', '=', entity_id)
    .where(sql<boolean>`owner_id is not distinct from ${owner_id}::uuid`)
    .where('purged_at', 'is', null)
    .where('undo_until', '>', sql<string>`now()`)
    .returning('kept')
    .executeTakeFirst()
  if (!taken) throw new AppError('undo_expired')
  await notify(trx, 'deletions')
  return taken.kept as Data
}
