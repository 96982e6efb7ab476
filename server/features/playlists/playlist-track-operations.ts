// The tracks of a playlist: list, append, remove. Unpublished tracks are hidden from members, but keep their position
// until they are published again.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/playlists.ts'
import { track } from '#contract/tracks.ts'
import type { SmartRules } from '#contract/fields/smart-rules.ts'
import { selectAvailability, getPremiumMarks } from '../availability/availability.ts'
import { hasFullAccess, getPremiumReason } from '../billing/entitlements.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { readAsJson } from '../../platform/db/json-rows.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { type JsonText, serializeResponse } from '../../platform/db/ready-json.ts'
import { readSmartTracks, smartTrackIds } from '../smart-playlists/smart-tracks.ts'
import { getTrackOrder } from '../tracks/track-order.ts'
import { selectTracks } from '../tracks/track-query.ts'
import { toMembershipError } from './membership-error.ts'
import {
  claimPlaylist,
  isReadableBy,
  refuseTooManyTracks,
  type ClaimedPlaylist,
} from './playlist-access.ts'
import { needsRecord, recordChange } from './record-change.ts'
import { countVisibleTracks, positionOfVisibleTrack, visibleTrackCount } from './visible-tracks.ts'

/**
 * Lists one page of a playlist's tracks. Finds the stored position where the page starts and reads from there by index,
 * so that every page takes the same time. One query does everything, because round trips to the database take most of
 * the time of a short page.
 */
export async function listPlaylistTracks(
  ctx: MemberContext,
  { params, query }: ParsedInput<typeof contract.listPlaylistTracks>,
): Promise<JsonText<Output<typeof contract.listPlaylistTracks>>> {
  const { offset, limit } = query
  const playlistId = sql<string>`${params.id}::uuid`
  const total = visibleTrackCount(playlistId)
  const readable = ctx.db.query
    .selectFrom('playlists')
    .where('id', '=', params.id)
    .where(isReadableBy(ctx.actor.user_id))
  const now = sql`${ctx.now().toISOString()}::timestamptz`
  const open = readable.$if(!hasFullAccess(ctx.actor), (query) =>
    query.where(
      sql<boolean>`not (playlists.is_curated and ${selectAvailability('playlists', {
        isPublished: 'is_visible',
        now,
      })} in ('early_access', 'premium_only'))`,
    ),
  )
  const page = selectTracks(ctx.db, ctx.actor.user_id)
    .innerJoin('playlist_tracks as e', 'e.track_id', 't.id')
    .select(['e.id as entry_id', total.as('total'), adderName(params.id, ctx.actor.user_id)])
    .where('e.playlist_id', '=', params.id)
    .where('t.is_published', '=', true)
    .where(({ exists }) => exists(open.select('id')))
    .$if(!query.order, (tracks) =>
      tracks
        .where('e.order_index', '>=', positionOfVisibleTrack(playlistId, offset))
        .orderBy('e.order_index')
        .limit(limit),
    )
    .$if(query.order !== undefined, (tracks) => {
      const { sorted, entryIds } = sortedPage(ctx, params.id, query)
      return tracks.where('e.id', 'in', entryIds).orderBy(sorted)
    })
  const rows = await readAsJson(ctx.db, track, page, ['entry_id', 'total', 'added_by'])
  if (rows[0]) {
    return serializeResponse<typeof contract.listPlaylistTracks>({
      data: rows.map(({ entry_id, added_by, json }, i) => ({
        id: entry_id,
        order_index: offset + i,
        added_by,
        track: json,
      })),
      total: rows[0].total,
    })
  }
  // No rows: the offset is past the end, the playlist does not exist, or its tracks require Premium.
  const found = await readable
    .select(['audience', 'early_access_until', 'rules', total.as('total')])
    .executeTakeFirst()
  if (!found) throw new AppError('playlist_not_found')
  if (found.rules) return listSmartTracks(ctx, found.rules, query)
  const reason = getPremiumReason(ctx.actor, getPremiumMarks(found), ctx.now())
  if (reason) throw new AppError('premium_required', { details: reason })
  return serializeResponse<typeof contract.listPlaylistTracks>({ data: [], total: found.total })
}

type PageQuery = ParsedInput<typeof contract.listPlaylistTracks>['query']

/** Selects a page in the requested order. Sorts only ids and sort keys; full rows are read only for the page. */
function sortedPage({ db }: MemberContext, playlistId: string, query: PageQuery) {
  const { keys, direction } = getTrackOrder(query)
  const sorted = sql.join(keys.map(([key]) => sql`${key} ${sql.raw(direction)}`))
  const chosen = db.query
    .selectFrom('playlist_tracks as e')
    .innerJoin('tracks as t', 't.id', 'e.track_id')
    .select('e.id')
    .where('e.playlist_id', '=', playlistId)
    .where('t.is_published', '=', true)
    .orderBy(sorted)
    .offset(query.offset)
    .limit(query.limit)
  return { sorted, entryIds: db.query.selectFrom(chosen.as('chosen')).select('chosen.id') }
}

async function listSmartTracks(
  ctx: MemberContext,
  rules: SmartRules,
  query: PageQuery,
): Promise<JsonText<Output<typeof contract.listPlaylistTracks>>> {
  const { user_id } = ctx.actor
  const { offset, limit } = query
  const found = await smartTrackIds(ctx.db, rules, { userId: user_id, now: ctx.now() })
  const ids = query.order ? await sortIds(ctx, found, query) : found
  const tracks = await readSmartTracks(ctx.db, user_id, ids.slice(offset, offset + limit))
  return serializeResponse<typeof contract.listPlaylistTracks>({
    data: tracks.map(({ id, json }, i) => ({
      id,
      order_index: offset + i,
      added_by: null,
      track: json,
    })),
    total: ids.length,
  })
}

async function sortIds({ db }: MemberContext, ids: string[], query: PageQuery): Promise<string[]> {
  const { keys, direction } = getTrackOrder(query)
  const rows = await db.query
    .selectFrom('tracks as t')
    .select('t.id')
    .where(sql<boolean>`t.id = any(${ids}::uuid[])`)
    .orderBy(sql.join(keys.map(([key]) => sql`${key} ${sql.raw(direction)}`)))
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * The name of the member who added a track. Null unless the reader is a member of the shared playlist: other people do
 * not see who added which track.
 */
function adderName(playlistId: string, userId: string) {
  const owner = sql`(
    select p.created_by from playlists p
     where p.id = ${playlistId}::uuid and not p.is_curated
       and exists (select from playlist_members m where m.playlist_id = p.id)
       and (p.created_by = ${userId}::uuid
            or exists (select from playlist_members m where m.playlist_id = p.id and m.user_id = ${userId}::uuid)))`
  return sql<string | null>`(
    select f.display_name from profiles f
     where f.id = case when ${owner} is not null then coalesce(e.added_by, ${owner}) end)`.as(
    'added_by',
  )
}

/** Adds a track at the end. The playlist is locked, so the count that is read below stays valid until the commit. */
export async function addTrackToPlaylist(
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.addTrackToPlaylist>,
): Promise<Output<typeof contract.addTrackToPlaylist>> {
  return transaction(ctx.db, async (trx) => {
    const playlist = await claimPlaylist(ctx, trx, params.id, 'change_tracks')
    await lockPublishedTrack(trx, body.track_id)
    const id = await appendTrack(ctx, trx, playlist, body.track_id)
    const count = await countVisibleTracks(trx, playlist.id)
    refuseTooManyTracks(ctx, playlist.owner_status, count)
    if (needsRecord(playlist, undefined)) {
      const undo = { action: 'remove', track_id: body.track_id.toLowerCase() } as const
      await recordChange(ctx, trx, playlist, { changes: [undo], added_by: {} })
    }
    return { id, order_index: count - 1 }
  })
}

/**
 * Locks a track after the playlist, as `saveTracks` does. The reverse order could deadlock with `saveTracks` and with a
 * bulk edit. The trigger that counts the track needs this lock too.
 */
async function lockPublishedTrack(trx: Transaction, trackId: string): Promise<void> {
  const track = await trx.query
    .selectFrom('tracks')
    .select('id')
    .where('id', '=', trackId)
    .where('is_published', '=', true)
    .forShare()
    .executeTakeFirst()
  if (!track) throw new AppError('track_not_found')
}

async function appendTrack(
  ctx: MemberContext,
  trx: Transaction,
  playlist: ClaimedPlaylist,
  trackId: string,
): Promise<string> {
  try {
    const { id } = await trx.query
      .insertInto('playlist_tracks')
      .values((eb) => ({
        playlist_id: playlist.id,
        track_id: trackId,
        added_by: ctx.actor.user_id,
        order_index: eb
          .selectFrom('playlist_tracks')
          .select((inner) => inner.fn.countAll<number>().as('count'))
          .where('playlist_id', '=', playlist.id),
      }))
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  } catch (error) {
    throw toMembershipError(error)
  }
}

/** Removes a track. A trigger closes the gap in the positions. */
export async function removeTrackFromPlaylist(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.removeTrackFromPlaylist>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const playlist = await claimPlaylist(ctx, trx, params.id, 'change_tracks')
    const after = needsRecord(playlist, undefined) ? await findTrackBefore(trx, params) : null
    const removed = await trx.query
      .deleteFrom('playlist_tracks')
      .where('playlist_id', '=', playlist.id)
      .where('track_id', '=', params.track_id)
      .returning(['track_id', 'order_index', 'added_by'])
      .executeTakeFirst()
    if (!removed) throw new AppError('track_not_found')
    if (!needsRecord(playlist, undefined)) return
    const { track_id, order_index: at, added_by } = removed
    await recordChange(ctx, trx, playlist, {
      changes: [{ action: 'add', track_id, after, at }],
      added_by: added_by === null ? {} : { [track_id]: added_by },
    })
  })
}

/** Finds the published track before the given one. Null if that is the first. */
async function findTrackBefore(
  trx: Transaction,
  { id, track_id }: { id: string; track_id: string },
): Promise<string | null> {
  const { rows } = await sql<{ track_id: string }>`
    select b.track_id from playlist_tracks e
      join playlist_tracks b on b.playlist_id = e.playlist_id and b.order_index < e.order_index
      join tracks t on t.id = b.track_id and t.is_published
     where e.playlist_id = ${id} and e.track_id = ${track_id}
     order by b.order_index desc limit 1`.execute(trx.query)
  return rows[0]?.track_id ?? null
}
