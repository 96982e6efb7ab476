// A deletion that can still be undone. Written in the transaction that deletes, so that a killed process loses
// neither the deletion nor the way back.
import { sql } from 'kysely'
import type { Transaction } from '../db/database.ts'
import type { DeletedEntity } from '../db/tables.ts'
import { notify } from '../events/event-bus.ts'
import { AppError } from '../http/app-error.ts'

/** Longer than the toast with Undo, which waits while somebody points at it. */
export const undoSeconds = 60

export interface Deletion {
  entity: DeletedEntity
  entity_id: string
  /** The member whose own it is; null for what belongs to the service. */
  owner_id?: string | null
  cover_id: string | null
  /** What restoring and purging need. */
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
 * Takes the deletion off the list; the caller restores what it kept. Throws `undo_expired` when it is too late, and
 * for what somebody else has restored or nobody has deleted.
 */
export async function takeDeletion<Kept>(
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
