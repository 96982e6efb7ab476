// Lists and removes the people who share a playlist. They see each other's display names and pictures, but not their
// email addresses.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/shared-playlists.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { claimPlaylist, roleAllows, type PlaylistRole } from '../playlists/playlist-access.ts'

/** The members of a playlist: the owner first, then the others in the order of joining. */
export async function listPlaylistMembers(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.listPlaylistMembers>,
): Promise<Output<typeof contract.listPlaylistMembers>> {
  const { rows } = await sql<{
    id: string
    display_name: string
    avatar_url: string | null
    role: PlaylistRole
    joined_at: string | null
  }>`
    select f.id, f.display_name, f.avatar_url, s.role, s.joined_at
      from (
        select created_by as user_id, 'owner' as role, null::timestamptz as joined_at
          from playlists where id = ${params.id} and not is_curated
        union all
        select user_id, role, joined_at from playlist_members where playlist_id = ${params.id}
      ) s join profiles f on f.id = s.user_id
     order by s.joined_at nulls first, f.id`.execute(ctx.db.query)
  const own = rows.find(({ id }) => id === ctx.actor.user_id)
  if (!own) throw new AppError('playlist_not_found')
  return {
    data: rows.map((row) => ({ ...row, is_you: row === own })),
    invitations: roleAllows(own.role, 'manage') ? await readInvitations(ctx, params.id) : [],
  }
}

async function readInvitations({ db, now }: MemberContext, playlistId: string) {
  return db.query
    .selectFrom('playlist_invitations')
    .select(['role', 'created_at', 'expires_at'])
    .where('playlist_id', '=', playlistId)
    .where('expires_at', '>', now().toISOString())
    .orderBy('role')
    .execute()
}

export async function changePlaylistMember(
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.changePlaylistMember>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const playlist = await claimPlaylist(ctx, trx, params.id, 'manage')
    if (playlist.is_smart && body.role === 'editor') throw new AppError('playlist_is_smart')
    const { numUpdatedRows } = await trx.query
      .updateTable('playlist_members')
      .set({ role: body.role })
      .where('playlist_id', '=', playlist.id)
      .where('user_id', '=', params.user_id)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new AppError('playlist_member_not_found')
  })
}

/**
 * Removes a member. Everyone may leave. If the owner removes someone else, the playlist's links are revoked, so that
 * the person cannot use one to join again.
 */
export async function removePlaylistMember(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.removePlaylistMember>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    if (params.user_id.toLowerCase() === ctx.actor.user_id) {
      if (await deleteMember(trx, params)) return
    }
    await claimPlaylist(ctx, trx, params.id, 'manage')
    if (!(await deleteMember(trx, params))) throw new AppError('playlist_member_not_found')
    await trx.query
      .deleteFrom('playlist_invitations')
      .where('playlist_id', '=', params.id)
      .execute()
  })
}

async function deleteMember(
  trx: Transaction,
  { id, user_id }: { id: string; user_id: string },
): Promise<boolean> {
  const { numDeletedRows } = await trx.query
    .deleteFrom('playlist_members')
    .where('playlist_id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
