// Ownership of playlists. Functions that change one take an `OwnPlaylist`, which only claimOwnPlaylist creates, so the
// compiler rejects unchecked access.
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'

declare const checked: unique symbol

/** A playlist of the actor's own, locked until the transaction ends. */
export interface OwnPlaylist {
  readonly id: string
  readonly cover_id: string | null
  readonly [checked]: true
}

/**
 * Locks the playlist and marks it as changed. Concurrent changes of one playlist are serialized here, so counts read
 * afterwards stay valid. Throws `playlist_not_found` if it is not the actor's own.
 */
export async function claimOwnPlaylist(
  ctx: MemberContext,
  trx: Transaction,
  id: string,
): Promise<OwnPlaylist> {
  const claimed = await trx.query
    .updateTable('playlists')
    .set({ updated_at: sql`now()` })
    .where('id', '=', id)
    .where('created_by', '=', ctx.actor.user_id)
    .where('is_curated', '=', false)
    .returning(['id', 'cover_id'])
    .executeTakeFirst()
  if (!claimed) throw new AppError('playlist_not_found')
  return claimed as OwnPlaylist
}

/** Playlists that a member may open: their own, public ones and visible curated ones. */
export function isReadableBy(userId: string) {
  return (eb: ExpressionBuilder<Tables, 'playlists'>): Expression<SqlBool> =>
    eb.or([
      eb.and([eb('playlists.created_by', '=', userId), eb('playlists.is_curated', '=', false)]),
      eb.and([
        eb('playlists.is_visible', '=', true),
        eb.or([eb('playlists.is_curated', '=', true), eb('playlists.is_public', '=', true)]),
      ]),
    ])
}
