// Records the latest changes of a playlist's tracks. The records make repeated requests idempotent, and let people who
// share a playlist undo their own last change.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { maxTrackChanges, type TrackChange } from '#contract/fields/track-changes.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { ClaimedPlaylist } from './playlist-access.ts'

const recordLifetime = sql`interval '1 day'`

/** The changes that undo a recorded change. */
export interface Inverse {
  changes: TrackChange[]
  /**
   * For each track that undoing adds again, the member who added it first. A track without an entry was added by the
   * owner.
   */
  added_by: Record<string, string>
}

export async function wasApplied(
  trx: Transaction,
  { id }: ClaimedPlaylist,
  operationId: string | undefined,
): Promise<boolean> {
  if (operationId === undefined) return false
  const found = await trx.query
    .selectFrom('playlist_changes')
    .select('number')
    .where('playlist_id', '=', id)
    .where('operation_id', '=', operationId)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Whether a change must be recorded. Without an operation id in a playlist that is not shared, it need not: the request
 * cannot be repeated, and nobody can undo it.
 */
export function needsRecord(
  { is_shared }: ClaimedPlaylist,
  operationId: string | undefined,
): boolean {
  return is_shared || operationId !== undefined
}

export async function recordChange(
  ctx: MemberContext,
  trx: Transaction,
  playlist: ClaimedPlaylist,
  inverse: Inverse,
  operationId: string = randomUUID(),
): Promise<void> {
  await trx.query
    .deleteFrom('playlist_changes')
    .where('playlist_id', '=', playlist.id)
    .where('created_at', '<', sql<string>`now() - ${recordLifetime}`)
    .execute()
  const isKept = inverse.changes.length > 0 && inverse.changes.length <= maxTrackChanges
  await trx.query
    .insertInto('playlist_changes')
    .values({
      playlist_id: playlist.id,
      user_id: ctx.actor.user_id,
      operation_id: operationId,
      inverse: isKept ? JSON.stringify(inverse) : null,
    })
    .execute()
}

/** Marks the signed-in person's last change as undone and returns it. Null if there is none. */
export async function undoLastChange(
  ctx: MemberContext,
  trx: Transaction,
  { id }: ClaimedPlaylist,
): Promise<Inverse | null> {
  const { rows } = await sql<{ inverse: Inverse | null }>`
    update playlist_changes set undone_at = now() where number = (
      select number from playlist_changes
       where playlist_id = ${id} and user_id = ${ctx.actor.user_id} and undone_at is null
         and created_at > now() - ${recordLifetime}
       order by number desc limit 1)
    returning inverse`.execute(trx.query)
  return rows[0]?.inverse ?? null
}
