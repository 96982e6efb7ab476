// A deletion that can still be undone. Written in the deleting transaction, so that a crash loses neither the deletion
// nor the undo.
import { sql } from 'kysely'
import type { Transaction } from '../../platform/db/database.ts'
import type { DeletedEntity } from '../../platform/db/tables.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'

/** Longer than the Undo toast, which stays open while somebody points at it. */
export const undoSeconds = 60

export interface Deletion {
  entity: DeletedEntity
  entity_id: string
  /** The owning member; null for things of the service. */
  owner_id?: string | null
  cover_id: string | null
  /** Data for restoring and purging. */
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
 * Removes the pending deletion; the caller restores what it kept. Throws `undo_expired` if it is too late, somebody
 * else has restored it, or it was never deleted.
 */
export async function claimDeletion<Kept>(
  trx: Transaction,
  { entity, entity_id, owner_id = null }: Pick<Deletion, 'entity' | 'entity_id' | 'owner_id'>,
): Promise<Kept> {
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
  return taken.kept as Kept
}
