// Opens, creates, changes and deletes playlists. If the member may not open a playlist, the operations throw
// `playlist_not_found`.
import { sql } from 'kysely'
import type { Audience } from '#contract/fields/availability.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type { SmartRules } from '#contract/fields/smart-rules.ts'
import type { Playlist } from '#contract/playlists.ts'
import type * as contract from '#contract/playlists.ts'
import { getPlaylistLimit } from '../billing/entitlements.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import {
  deletePicture,
  storeUploadedPicture,
  type PictureServices,
} from '../pictures/store-picture.ts'
import { deletePlaylistRows, restorePlaylistRows } from './delete-playlist.ts'
import { readDefaultAudience } from '../settings/default-audience.ts'
import {
  claimPlaylist,
  isReadableBy,
  refuseTooManyTracks,
  type ClaimedPlaylist,
} from './playlist-access.ts'
import { selectPlaylists } from './playlist-query.ts'
import { saveTracks } from './save-tracks.ts'
import { summarizeNow } from './smart-summary.ts'

export async function getPlaylist(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.getPlaylist>,
): Promise<Output<typeof contract.getPlaylist>> {
  return loadReadablePlaylist(ctx, ctx.db, params.id)
}

export async function createPlaylist(
  pictures: PictureServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.createPlaylist>,
): Promise<Output<typeof contract.createPlaylist>> {
  const cover = await storeUploadedPicture(pictures, ctx, body.cover_path, 'cover')
  return transaction(ctx.db, async (trx) => {
    if ((await countOwnPlaylists(ctx, trx)) >= getPlaylistLimit(ctx.actor)) {
      throw new AppError('playlist_limit_reached')
    }
    if (body.rules) refuseTooManyTracks(ctx, ctx.actor.subscription_status, body.rules.limit)
    const { id } = await trx.query
      .insertInto('playlists')
      .values({
        title: body.title,
        description: body.description || null,
        cover_id: (await cover?.claim(trx)) ?? null,
        is_public: body.is_public,
        audience: await chooseAudience(trx, body.is_public),
        rules: body.rules ? JSON.stringify(body.rules) : null,
        created_by: ctx.actor.user_id,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return loadReadablePlaylist(ctx, trx, id)
  })
}

/** The audience of a playlist that is made public. It gets a public page if the default audience is everyone. */
async function chooseAudience(trx: Transaction, isPublic: boolean): Promise<Audience> {
  const isForEveryone = isPublic && (await readDefaultAudience(trx)) === 'everyone'
  return isForEveryone ? 'everyone' : 'members'
}

/**
 * Counts a member's playlists. Locks the member's profile row first, so that playlists that are created concurrently
 * are counted one after the other.
 */
async function countOwnPlaylists(ctx: MemberContext, trx: Transaction): Promise<number> {
  const me = ctx.actor.user_id
  await trx.query
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', me)
    .forNoKeyUpdate()
    .execute()
  const { count } = await trx.query
    .selectFrom('playlists')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('created_by', '=', me)
    .where('is_curated', '=', false)
    .executeTakeFirstOrThrow()
  return count
}

/** Applies all changes of the request, or none. */
export async function updatePlaylist(
  pictures: PictureServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.updatePlaylist>,
): Promise<Output<typeof contract.updatePlaylist>> {
  const cover = await storeUploadedPicture(pictures, ctx, body.cover_path, 'cover')
  const { title, description, is_public, cover_path, rules } = body
  const managed = [title, description, is_public, cover_path, rules]
  const isManaging = managed.some((part) => part !== undefined)
  return transaction(ctx.db, async (trx) => {
    const right = isManaging ? 'manage' : 'change_tracks'
    const own = await claimPlaylist(ctx, trx, params.id, right)
    if (rules) await saveRules(ctx, trx, own, rules)
    const changes = {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description: description || null }),
      ...(is_public !== undefined && {
        is_public,
        // A playlist that is already public keeps its audience.
        audience: sql<Audience>`case when is_public = ${is_public} then audience
          else ${await chooseAudience(trx, is_public)} end`,
      }),
      ...(cover_path !== undefined && { cover_id: (await cover?.claim(trx)) ?? null }),
    }
    if (Object.keys(changes).length > 0) {
      await trx.query.updateTable('playlists').set(changes).where('id', '=', own.id).execute()
    }
    if (cover_path !== undefined && own.cover_id) await deletePicture(trx, own.cover_id)
    const changesTracks = body.track_ids ?? body.track_changes
    if (changesTracks && own.is_smart) throw new AppError('playlist_is_smart')
    await saveTracks(ctx, trx, own, body)
    return loadReadablePlaylist(ctx, trx, own.id)
  })
}

/**
 * Saves a smart playlist's rules. A track limit above the plan's is refused only if this change raises it. Other
 * playlists follow the same rule.
 */
async function saveRules(
  ctx: MemberContext,
  trx: Transaction,
  own: ClaimedPlaylist,
  rules: SmartRules,
): Promise<void> {
  if (!own.is_smart) throw new AppError('playlist_not_smart')
  const { limit } = await trx.query
    .selectFrom('playlists')
    .select(sql<number>`(rules ->> 'limit')::int`.as('limit'))
    .where('id', '=', own.id)
    .executeTakeFirstOrThrow()
  if (rules.limit > limit) refuseTooManyTracks(ctx, own.owner_status, rules.limit)
  await trx.query
    .updateTable('playlists')
    .set({ rules: JSON.stringify(rules) })
    .where('id', '=', own.id)
    .execute()
}

export async function deletePlaylist(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.deletePlaylist>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    await claimPlaylist(ctx, trx, params.id, 'manage')
    await deletePlaylistRows(trx, params.id, ctx.actor.user_id)
  })
}

/** Undoes the deletion of a playlist, unless the member has reached the plan's playlist limit since. */
export async function restorePlaylist(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.restorePlaylist>,
): Promise<Output<typeof contract.restorePlaylist>> {
  return transaction(ctx.db, async (trx) => {
    const others = await countOwnPlaylists(ctx, trx)
    const isRestored = await restorePlaylistRows(trx, params.id, ctx.actor.user_id)
    if (isRestored && others >= getPlaylistLimit(ctx.actor)) {
      throw new AppError('playlist_limit_reached')
    }
    return loadReadablePlaylist(ctx, trx, params.id)
  })
}

export async function loadReadablePlaylist(
  ctx: MemberContext,
  handle: Handle,
  id: string,
): Promise<Playlist> {
  const chosen = handle.query
    .selectFrom('playlists')
    .selectAll()
    .where('id', '=', id)
    .where(isReadableBy(ctx.actor.user_id))
  const playlist = await selectPlaylists(handle, ctx.actor.user_id, chosen).executeTakeFirst()
  if (!playlist) throw new AppError('playlist_not_found')
  return playlist.is_smart ? summarizeNow(ctx, handle, playlist) : playlist
}
