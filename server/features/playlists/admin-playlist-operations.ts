// Admin operations on curated playlists.
import { sql } from 'kysely'
import type { AdminPlaylistDetail } from '#contract/admin/admin-playlists.ts'
import type * as contract from '#contract/admin/admin-playlists.ts'
import type { availabilityInput } from '#contract/availability-input.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { changedBy, refuseStale } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import {
  deletePicture,
  storeUploadedPicture,
  type PictureServices,
} from '../pictures/store-picture.ts'
import { selectPremiumMarks } from '../availability/availability.ts'
import {
  computeAvailabilityChanges,
  noAvailability,
  getPublishedColumns,
} from '../availability/change-availability.ts'
import { coverUrl, isNotDeleted } from '../tracks/track-query.ts'
import { deletePlaylistRows, restorePlaylistRows } from './delete-playlist.ts'
import { readDefaultAudience } from '../settings/default-audience.ts'
import { claimCuratedPlaylist, type CuratedPlaylist } from './curated-playlist.ts'
import { saveCuratedTracks } from './save-curated-tracks.ts'

type Body = ParsedInput<typeof contract.changeAdminPlaylists>['body']
type Create = Extract<Body, { action: 'create' }>
type Update = Extract<Body, { action: 'update' }>
type Answer = Output<typeof contract.changeAdminPlaylists>

/** Runs the request's `action` on curated playlists. */
export async function changeAdminPlaylists(
  pictures: PictureServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.changeAdminPlaylists>,
): Promise<Answer> {
  switch (body.action) {
    case 'list':
      return { playlists: await selectAdminPlaylists(ctx.db).execute() }
    case 'get':
      return { playlist: await findDetail(ctx.db, body.id) }
    case 'create':
      return { playlist: await createCuratedPlaylist(pictures, ctx, body) }
    case 'update':
      return { playlist: await updateCuratedPlaylist(pictures, ctx, body) }
    case 'delete':
      await deleteCuratedPlaylist(ctx, body.id)
      return {}
  }
}

async function createCuratedPlaylist(
  pictures: PictureServices,
  ctx: MemberContext,
  body: Create,
): Promise<AdminPlaylistDetail> {
  const cover = await storeUploadedPicture(pictures, ctx, body.cover_path, 'cover')
  return transaction(ctx.db, async (trx) => {
    const { id } = await trx.query
      .insertInto('playlists')
      .values({
        title: body.title,
        description: body.description || null,
        cover_id: (await cover?.claim(trx)) ?? null,
        created_by: ctx.actor.user_id,
        ...initialVisibility(ctx, { audience: await readDefaultAudience(trx), ...body }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const playlist = await findDetail(trx, id, { curatedOnly: false })
    await record(ctx, trx, 'create', id, undefined, summary(playlist))
    return playlist
  })
}

/** Applies all changes of the request, or none. */
async function updateCuratedPlaylist(
  pictures: PictureServices,
  ctx: MemberContext,
  body: Update,
): Promise<AdminPlaylistDetail> {
  const cover = await storeUploadedPicture(pictures, ctx, body.cover_path, 'cover')
  return transaction(ctx.db, async (trx) => {
    const claimed = await claimCuratedPlaylist(trx, body.id)
    const before = await findDetail(trx, body.id)
    await refuseStale(trx, claimed, body.version, async () => before)
    const { title, description, is_curated } = body
    const changes = {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description: description || null }),
      ...visibility(claimed, body, ctx.now()),
      ...(is_curated !== undefined && transferToAdmin(ctx, is_curated)),
      ...(body.cover_path !== undefined && { cover_id: (await cover?.claim(trx)) ?? null }),
    }
    if (Object.keys(changes).length > 0) {
      await trx.query
        .updateTable('playlists')
        .set({ ...changes, ...changedBy(ctx) })
        .where('id', '=', claimed.id)
        .execute()
    }
    if (body.cover_path !== undefined && claimed.cover_id)
      await deletePicture(trx, claimed.cover_id)
    await saveCuratedTracks(trx, claimed, body)
    const after = await findDetail(trx, body.id, { curatedOnly: false })
    await record(ctx, trx, 'update', body.id, summary(before), summary(after))
    return after
  })
}

/**
 * The columns of a playlist that is created with `is_curated: false` or changed to it: it becomes a private playlist of
 * the admin who sent the request.
 */
function transferToAdmin(ctx: MemberContext, isCurated: boolean) {
  return isCurated
    ? { is_curated: true }
    : {
        is_curated: false,
        is_public: false,
        created_by: ctx.actor.user_id,
        ...noAvailability,
      }
}

/** A new playlist is visible immediately, unless it has a release date. */
function initialVisibility(ctx: MemberContext, body: Create) {
  if (!body.is_curated) return transferToAdmin(ctx, false)
  const row = { ...noAvailability, is_visible: false }
  const input = { ...body, is_visible: body.is_visible ?? !body.release_at }
  return { is_curated: true, ...visibility(row, input, ctx.now()) }
}

/** The visibility columns to update for a request. */
function visibility(
  row: Pick<CuratedPlaylist, 'is_visible' | keyof typeof noAvailability>,
  body: Pick<Update, 'is_visible' | keyof typeof availabilityInput>,
  now: Date,
) {
  const isPublished = body.is_visible ?? row.is_visible
  const wasPublished = row.is_visible
  const changes = computeAvailabilityChanges(row, body, { wasPublished, isPublished, now })
  if (body.is_visible === undefined) return changes
  if (!isPublished) return { ...changes, is_visible: false }
  return { ...changes, ...getPublishedColumns({ ...row, ...changes }, now), is_visible: true }
}

async function deleteCuratedPlaylist(ctx: MemberContext, id: string): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const before = await findDetail(trx, id)
    await deletePlaylistRows(trx, id, null)
    await record(ctx, trx, 'delete', id, summary(before), undefined)
  })
}

/** Undoes the deletion of a curated playlist. */
export async function restoreAdminPlaylist(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.restoreAdminPlaylist>,
): Promise<Output<typeof contract.restoreAdminPlaylist>> {
  return transaction(ctx.db, async (trx) => {
    const isRestored = await restorePlaylistRows(trx, params.id, null)
    const playlist = await findDetail(trx, params.id)
    if (isRestored) await record(ctx, trx, 'restore', params.id, undefined, summary(playlist))
    return playlist
  })
}

function selectAdminPlaylists(handle: Handle, { curatedOnly = true } = {}) {
  return handle.query
    .selectFrom('playlists as p')
    .leftJoin('images as cover', 'cover.id', 'p.cover_id')
    .select([
      'p.id',
      'p.title',
      'p.description',
      coverUrl('p.cover_id').as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
      'p.is_curated',
      'p.is_visible',
      'p.is_public',
      'p.release_at',
      'p.release_zone',
      'p.early_access_days',
      'p.audience',
      ...selectPremiumMarks('p'),
      'p.created_by',
      'p.created_at',
      'p.version',
      sql<number>`(select count(*) from playlist_tracks e
                     where e.playlist_id = p.id and ${isNotDeleted('e.track_id')})`.as(
        'track_count',
      ),
    ])
    .$if(curatedOnly, (query) => query.where('p.is_curated', '=', true))
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
}

async function findDetail(
  handle: Handle,
  id: string,
  options: { curatedOnly?: boolean } = {},
): Promise<AdminPlaylistDetail> {
  const playlist = await selectAdminPlaylists(handle, options)
    .where('p.id', '=', id)
    .executeTakeFirst()
  if (!playlist) throw new AppError('playlist_not_found')
  const entries = await handle.query
    .selectFrom('playlist_tracks as e')
    .innerJoin('tracks as t', 't.id', 'e.track_id')
    .leftJoin('images as cover', 'cover.id', 't.cover_id')
    .select([
      'e.id as entry_id',
      't.id',
      't.title',
      't.artist',
      't.duration',
      't.explicit',
      't.ai_disclosure',
      't.loudness_lufs',
      't.true_peak_dbtp',
      't.is_published',
      coverUrl('t.cover_id').as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
    ])
    .where('e.playlist_id', '=', id)
    .where('t.deleted_at', 'is', null)
    .orderBy('e.order_index')
    .execute()
  return {
    ...playlist,
    playlist_tracks: entries.map(({ entry_id, ...track }, order_index) => ({
      id: entry_id,
      order_index,
      track,
    })),
  }
}

async function record(
  ctx: MemberContext,
  trx: Transaction,
  action: 'create' | 'update' | 'delete' | 'restore',
  id: string,
  before: unknown,
  after: unknown,
): Promise<void> {
  await writeAudit(ctx, trx, { action, entity: 'playlist', entity_id: id, before, after })
  await notify(trx, 'playlists', id)
}

function summary(playlist: AdminPlaylistDetail) {
  const { title, is_visible, is_curated, track_count } = playlist
  const { release_at, early_access_days, audience } = playlist
  return { title, is_visible, is_curated, track_count, release_at, early_access_days, audience }
}
