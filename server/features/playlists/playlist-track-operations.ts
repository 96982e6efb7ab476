// The tracks of a playlist: list, append, remove. Unpublished tracks are hidden from members, but keep their position
// in case they are published again.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/playlists.ts'
import { track } from '#contract/tracks.ts'
import { availabilityIn, premiumMarksOf } from '../availability/availability.ts'
import { hasFullAccess, premiumReason, trackLimitFor } from '../billing/entitlements.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { readAsJson } from '../../platform/db/json-rows.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { type JsonText, readyJson } from '../../platform/db/ready-json.ts'
import { orderOf } from '../tracks/track-order.ts'
import { trackQuery } from '../tracks/track-query.ts'
import { membershipError } from './membership-error.ts'
import { claimOwnPlaylist, isReadableBy, type OwnPlaylist } from './own-playlist.ts'
import { countVisibleTracks, placeOfVisible, visibleTrackCount } from './visible-tracks.ts'

/**
 * Finds the stored position where the page starts and reads from there by index, so that every page costs the same. One
 * query for everything, because round trips dominate the cost of a short page.
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
      sql<boolean>`not (playlists.is_curated and ${availabilityIn('playlists', {
        isPublished: 'is_visible',
        now,
      })} in ('early_access', 'premium_only'))`,
    ),
  )
  const page = trackQuery(ctx.db, ctx.actor.user_id)
    .innerJoin('playlist_tracks as e', 'e.track_id', 't.id')
    .select(['e.id as entry_id', total.as('total')])
    .where('e.playlist_id', '=', params.id)
    .where('t.is_published', '=', true)
    .where(({ exists }) => exists(open.select('id')))
    .$if(!query.order, (tracks) =>
      tracks
        .where('e.order_index', '>=', placeOfVisible(playlistId, offset))
        .orderBy('e.order_index')
        .limit(limit),
    )
    .$if(query.order !== undefined, (tracks) => {
      const { sorted, entryIds } = sortedPage(ctx, params.id, query)
      return tracks.where('e.id', 'in', entryIds).orderBy(sorted)
    })
  const rows = await readAsJson(ctx.db, track, page, ['entry_id', 'total'])
  if (rows[0]) {
    return readyJson<typeof contract.listPlaylistTracks>({
      data: rows.map(({ entry_id, json }, i) => ({
        id: entry_id,
        order_index: offset + i,
        track: json,
      })),
      total: rows[0].total,
    })
  }
  // The offset is past the end, the playlist does not exist, or its tracks need Premium.
  const found = await readable
    .select(['audience', 'early_access_until', total.as('total')])
    .executeTakeFirst()
  if (!found) throw new AppError('playlist_not_found')
  const reason = premiumReason(ctx.actor, premiumMarksOf(found), ctx.now())
  if (reason) throw new AppError('premium_required', { details: reason })
  return readyJson<typeof contract.listPlaylistTracks>({ data: [], total: found.total })
}

/** Sorts ids and keys alone; only the rows of the page are read in full. */
function sortedPage(
  { db }: MemberContext,
  playlistId: string,
  query: ParsedInput<typeof contract.listPlaylistTracks>['query'],
) {
  const { keys, direction } = orderOf(query)
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

/** Always appends. The playlist is locked, so the count below stays valid until the commit. */
export async function addTrackToPlaylist(
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.addTrackToPlaylist>,
): Promise<Output<typeof contract.addTrackToPlaylist>> {
  return transaction(ctx.db, async (trx) => {
    const own = await claimOwnPlaylist(ctx, trx, params.id)
    await holdPublishedTrack(trx, body.track_id)
    const id = await appendTrack(trx, own, body.track_id)
    const count = await countVisibleTracks(trx, own.id)
    if (count > trackLimitFor(ctx.actor)) throw new AppError('track_limit_reached')
    return { id, order_index: count - 1 }
  })
}

/**
 * Locked after the playlist, as in `saveTracks`; the reverse order could deadlock with it and a bulk edit. The trigger that
 * counts the track needs this lock, too.
 */
async function holdPublishedTrack(trx: Transaction, trackId: string): Promise<void> {
  const track = await trx.query
    .selectFrom('tracks')
    .select('id')
    .where('id', '=', trackId)
    .where('is_published', '=', true)
    .forShare()
    .executeTakeFirst()
  if (!track) throw new AppError('track_not_found')
}

async function appendTrack(trx: Transaction, own: OwnPlaylist, trackId: string): Promise<string> {
  try {
    const { id } = await trx.query
      .insertInto('playlist_tracks')
      .values((eb) => ({
        playlist_id: own.id,
        track_id: trackId,
        order_index: eb
          .selectFrom('playlist_tracks')
          .select((inner) => inner.fn.countAll<number>().as('count'))
          .where('playlist_id', '=', own.id),
      }))
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  } catch (error) {
    throw membershipError(error)
  }
}

/** A trigger closes the gap. */
export async function removeTrackFromPlaylist(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.removeTrackFromPlaylist>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const own = await claimOwnPlaylist(ctx, trx, params.id)
    const removed = await trx.query
      .deleteFrom('playlist_tracks')
      .where('playlist_id', '=', own.id)
      .where('track_id', '=', params.track_id)
      .executeTakeFirstOrThrow()
    if (removed.numDeletedRows === 0n) throw new AppError('track_not_found')
  })
}
