// What members do with tracks: list, search, open, like. Unpublished tracks do not exist here.
import { sql, type ExpressionBuilder } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import {
  type getTrack,
  type likeTrack,
  type listTracks,
  track,
  type unlikeTrack,
} from '#contract/tracks.ts'
import { readAsJson } from '../db/json-rows.ts'
import { AppError } from '../http/app-error.ts'
import type { MemberContext } from '../http/context.ts'
import { decodeCursor, encodeCursor } from '../http/cursor.ts'
import { type JsonText, readyJson } from '../http/ready-json.ts'
import { matchesSearch, trackQuery, type TrackTables } from './track-query.ts'

/** Newest or by title, page by page: search, category and likes apply together. */
export async function listTracksForMember(
  ctx: MemberContext,
  { query }: ParsedInput<typeof listTracks>,
): Promise<JsonText<Output<typeof listTracks>>> {
  const cursor = decodeCursor(query.cursor, 2)
  const filtered = trackQuery(ctx.db, ctx.actor.user_id).where(matchesFilters(ctx, query))
  const sortValue =
    query.order === 'newest' ? sql<string>`t.created_at::text` : sql<string>`lower(t.title)`

  let page = filtered.select(sortValue.as('sort_value')).limit(query.limit + 1)
  if (query.order === 'newest') {
    page = page.orderBy('t.created_at', 'desc').orderBy('t.id', 'desc')
    if (cursor)
      page = page.where(
        sql<boolean>`(t.created_at, t.id) < (${cursor[0]}::timestamptz, ${cursor[1]}::uuid)`,
      )
  } else {
    page = page.orderBy(sql`lower(t.title)`).orderBy('t.id')
    if (cursor)
      page = page.where(sql<boolean>`(lower(t.title), t.id) > (${cursor[0]}, ${cursor[1]}::uuid)`)
  }
  const [rows, total] = await Promise.all([
    readAsJson(ctx.db, track, page, ['id', 'sort_value']),
    cursor ? null : countTracks(ctx, query),
  ])
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return readyJson<typeof listTracks>({
    data: shown.map(({ json }) => json),
    next_cursor:
      rows.length > query.limit && last ? encodeCursor([last.sort_value, last.id]) : null,
    total,
  })
}

type Filters = ParsedInput<typeof listTracks>['query']

/** What makes a track one of the list. */
function matchesFilters(ctx: MemberContext, { q, category, liked }: Filters) {
  return (eb: ExpressionBuilder<TrackTables, 't'>) =>
    eb.and([
      eb('t.is_published', '=', true),
      ...(q?.trim() ? [matchesSearch(q)(eb)] : []),
      ...(category !== undefined ? [eb('t.category', '=', category)] : []),
      ...(liked === 'true'
        ? [
            eb.exists(
              eb
                .selectFrom('likes')
                .select('likes.track_id')
                .whereRef('likes.track_id', '=', 't.id')
                .where('likes.user_id', '=', ctx.actor.user_id),
            ),
          ]
        : []),
    ])
}

async function countTracks(ctx: MemberContext, filters: Filters): Promise<number> {
  const { total } = await ctx.db.query
    .selectFrom('tracks as t')
    .where(matchesFilters(ctx, filters))
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** One track with its waveform and lyrics. */
export async function getTrackForMember(
  ctx: MemberContext,
  { params }: ParsedInput<typeof getTrack>,
): Promise<Output<typeof getTrack>> {
  const found = await trackQuery(ctx.db, ctx.actor.user_id)
    .select([
      sql<string | null>`translate(encode(t.peaks, 'base64'), e'\n', '')`.as('peaks'),
      't.lyrics',
      't.credits',
    ])
    .where('t.id', '=', params.id)
    .where('t.is_published', '=', true)
    .executeTakeFirst()
  if (!found) throw new AppError('track_not_found')
  return found
}

/** Saves a like; a second one changes nothing. */
export async function likeTrackAsMember(
  ctx: MemberContext,
  { params }: ParsedInput<typeof likeTrack>,
): Promise<void> {
  const { rows } = await sql<{ found: boolean }>`
    with track as (select id from tracks where id = ${params.id} and is_published),
    liked as (
      insert into likes (user_id, track_id) select ${ctx.actor.user_id}, id from track
      on conflict do nothing
    )
    select exists (select from track) as found`.execute(ctx.db.query)
  if (!rows[0]?.found) throw new AppError('track_not_found')
}

/** Takes a like back; taking back what is not there changes nothing. */
export async function unlikeTrackAsMember(
  ctx: MemberContext,
  { params }: ParsedInput<typeof unlikeTrack>,
): Promise<void> {
  await ctx.db.query
    .deleteFrom('likes')
    .where('user_id', '=', ctx.actor.user_id)
    .where('track_id', '=', params.id)
    .execute()
}
