// Links that invite people to a shared playlist. The owner chooses the role and passes on the link, so members cannot
// search for other people.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { invitationDays, maxPlaylistMembers } from '#contract/shared-playlists.ts'
import type * as contract from '#contract/shared-playlists.ts'
import { transaction } from '../../platform/db/database.ts'
import type { Handle } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { claimPlaylist, type PlaylistRole } from '../playlists/playlist-access.ts'
import { loadReadablePlaylist } from '../playlists/playlist-operations.ts'

const dayMs = 24 * 3_600_000

export async function createPlaylistInvitation(
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.createPlaylistInvitation>,
): Promise<Output<typeof contract.createPlaylistInvitation>> {
  const token = randomBytes(24).toString('base64url')
  const expires_at = new Date(ctx.now().getTime() + invitationDays * dayMs).toISOString()
  return transaction(ctx.db, async (trx) => {
    const playlist = await claimPlaylist(ctx, trx, params.id, 'manage')
    if (playlist.is_smart && body.role === 'editor') throw new AppError('playlist_is_smart')
    const created = {
      token_hash: hashToken(token),
      expires_at,
      created_at: ctx.now().toISOString(),
    }
    const invitation = await trx.query
      .insertInto('playlist_invitations')
      .values({ playlist_id: playlist.id, role: body.role, ...created })
      .onConflict((conflict) => conflict.columns(['playlist_id', 'role']).doUpdateSet(created))
      .returning(['role', 'created_at', 'expires_at'])
      .executeTakeFirstOrThrow()
    return { ...invitation, token }
  })
}

export async function revokePlaylistInvitation(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.revokePlaylistInvitation>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const playlist = await claimPlaylist(ctx, trx, params.id, 'manage')
    const { numDeletedRows } = await trx.query
      .deleteFrom('playlist_invitations')
      .where('playlist_id', '=', playlist.id)
      .where('role', '=', params.role)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw new AppError('invitation_invalid')
  })
}

export async function openPlaylistInvitation(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.openPlaylistInvitation>,
): Promise<Output<typeof contract.openPlaylistInvitation>> {
  const { playlist_id, role } = await findInvitation(ctx, ctx.db, body.token)
  const { rows } = await sql<{
    title: string
    track_count: number
    owner_name: string
    own_role: PlaylistRole | null
  }>`
    select p.title, s.track_count, f.display_name as owner_name,
           case when p.created_by = ${ctx.actor.user_id} then 'owner' else m.role end as own_role
      from playlists p
      join playlist_summaries s on s.playlist_id = p.id
      join profiles f on f.id = p.created_by
      left join playlist_members m on m.playlist_id = p.id and m.user_id = ${ctx.actor.user_id}
     where p.id = ${playlist_id}`.execute(ctx.db.query)
  if (!rows[0]) throw new AppError('invitation_invalid')
  return { playlist_id, role, ...rows[0] }
}

export async function acceptPlaylistInvitation(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.acceptPlaylistInvitation>,
): Promise<Output<typeof contract.acceptPlaylistInvitation>> {
  const me = ctx.actor.user_id
  return transaction(ctx.db, async (trx) => {
    const found = await findInvitation(ctx, trx, body.token)
    const playlist = await trx.query
      .selectFrom('playlists')
      .select(['id', 'created_by'])
      .where('id', '=', found.playlist_id)
      // The row lock serializes people who join concurrently, so that each is counted.
      .forNoKeyUpdate()
      .executeTakeFirst()
    // Read the invitation again after taking the lock, because it may have been revoked in the meantime.
    const { role } = await findInvitation(ctx, trx, body.token)
    if (!playlist) throw new AppError('invitation_invalid')
    if (playlist.created_by !== me) {
      await trx.query
        .insertInto('playlist_members')
        .values({ playlist_id: playlist.id, user_id: me, role })
        // If an editor opens a link for viewers, the role of editor is kept.
        .onConflict((conflict) =>
          conflict
            .columns(['playlist_id', 'user_id'])
            .doUpdateSet({ role })
            .where('playlist_members.role', '=', 'viewer'),
        )
        .execute()
    }
    const { count } = await trx.query
      .selectFrom('playlist_members')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('playlist_id', '=', playlist.id)
      .executeTakeFirstOrThrow()
    if (count > maxPlaylistMembers) throw new AppError('too_many_playlist_members')
    return loadReadablePlaylist(ctx, trx, playlist.id)
  })
}

async function findInvitation({ now }: MemberContext, handle: Handle, token: string) {
  const found = await handle.query
    .selectFrom('playlist_invitations')
    .select(['playlist_id', 'role'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now().toISOString())
    .executeTakeFirst()
  if (!found) throw new AppError('invitation_invalid')
  return found
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
