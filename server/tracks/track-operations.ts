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

/** `isAfter` takes the cursor's values: what the list is sorted by, and the id. */
const trackOrders = {
  newest: {
    key: sql`t.created_at`,
    direction: 'desc',
    sortValue: sql<string>`t.created_at::text`,
    isAfter: ([value, id]: string[]) =>
      sql<boolean>`(t.created_at, t.id) < (${value}::timestamptz, ${id}::uuid)`,
  },
  title: {
    key: sql`lower(t.title)`,
    direction: 'asc',
    sortValue: sql<string>`lower(t.title)`,
    isAfter: ([value, id]: string[]) =>
      sql<boolean>`(lower(t.title), t.id) > (${value}, ${id}::uuid)`,
  },
} as const

/**
 * Newest or by title, page by page: search, category and likes apply together. The page is chosen by ids and what they
 * are sorted by; only its rows are read whole, with cover and preview.
 */
export async function listTracksForMember(
  ctx: MemberContext,
  { query }: ParsedInput<typeof listTracks>,
): Promise<JsonText<Output<typeof listTracks>>> {
  const cursor = decodeCursor(query.cursor, 2)
  const { key, direction, sortValue, isAfter } = trackOrders[query.order]
  const chosen = ctx.db.query
    .selectFrom('tracks as t')
    .select('t.id')
    .where(matchesFilters(ctx, query))
    .$if(cursor !== null, (tracks) => tracks.where(isAfter(cursor ?? [])))
    .orderBy(key, direction)
    .orderBy('t.id', direction)
    .limit(query.limit + 1)
  const page = trackQuery(ctx.db, ctx.actor.user_id)
    .select(sortValue.as('sort_value'))
    .where('t.id', 'in', chosen)
    .orderBy(key, direction)
    .orderBy('t.id', direction)
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
