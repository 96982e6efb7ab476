// What members do with tracks: list, search, open, like. Unpublished tracks do not exist here.
import { sql, type RawBuilder } from 'kysely'
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
import { matchesSearch, trackQuery } from './track-query.ts'

interface TrackOrder {
  keys: readonly [RawBuilder<unknown>, RawBuilder<unknown>]
  direction: 'asc' | 'desc'
}

const trackOrders = {
  newest: { keys: [sql`t.created_at`, sql`t.id`], direction: 'desc' },
  title: { keys: [sql`lower(t.title)`, sql`t.id`], direction: 'asc' },
} satisfies Record<string, TrackOrder>
/** The same moments and ids as newest, in an index of their own for each member. */
const newestLiked: TrackOrder = {
  keys: [sql`l.track_created_at`, sql`l.track_id`],
  direction: 'desc',
}

/**
 * Newest or by title, page by page: search, category and likes apply together. The page is chosen by ids and what they
 * are sorted by; only its rows are read whole, with cover and preview.
 */
export async function listTracksForMember(
  ctx: MemberContext,
  { query }: ParsedInput<typeof listTracks>,
): Promise<JsonText<Output<typeof listTracks>>> {
  const cursor = decodeCursor(query.cursor, 2)
  const order = trackOrders[query.order]
  const isCounted = cursor === null && isLikedAlone(query)
  const page = trackQuery(ctx.db, ctx.actor.user_id)
    .select(sql<string>`${order.keys[0]}::text`.as('sort_value'))
    // Asking on its own way would take longer than counting them does.
    .select((isCounted ? likedCount(ctx) : sql<number | null>`null`).as('total'))
    .where('t.id', 'in', choosePage(ctx, query, cursor))
    .orderBy(order.keys[0], order.direction)
    .orderBy(order.keys[1], order.direction)
  const [rows, total] = await Promise.all([
    readAsJson(ctx.db, track, page, ['id', 'sort_value', 'total']),
    cursor || isCounted ? null : countTracks(ctx, query),
  ])
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return readyJson<typeof listTracks>({
    data: shown.map(({ json }) => json),
    next_cursor:
      rows.length > query.limit && last ? encodeCursor([last.sort_value, last.id]) : null,
    total: isCounted ? (rows[0]?.total ?? 0) : total,
  })
}

type Filters = ParsedInput<typeof listTracks>['query']

function choosePage(ctx: MemberContext, query: Filters, cursor: string[] | null) {
  const isNewestLiked = query.liked === 'true' && query.order === 'newest'
  const { keys, direction } = isNewestLiked ? newestLiked : trackOrders[query.order]
  const after = query.order === 'newest' ? sql`${cursor?.[0]}::timestamptz` : sql`${cursor?.[0]}`
  const beyond = sql.raw(direction === 'desc' ? '<' : '>')
  return matchingTracks(ctx, query)
    .select('t.id')
    .$if(cursor !== null, (tracks) =>
      tracks.where(
        sql<boolean>`(${keys[0]}, ${keys[1]}) ${beyond} (${after}, ${cursor?.[1]}::uuid)`,
      ),
    )
    .orderBy(keys[0], direction)
    .orderBy(keys[1], direction)
    .limit(query.limit + 1)
}

/** What makes a track one of the list: `tracks as t`, and their `likes as l` where only liked ones are asked for. */
function matchingTracks(ctx: MemberContext, { q, category, liked }: Filters) {
  return ctx.db.query
    .selectFrom('tracks as t')
    .$if(liked === 'true', (tracks) =>
      tracks.innerJoin('likes as l', (join) =>
        join.onRef('l.track_id', '=', 't.id').on('l.user_id', '=', ctx.actor.user_id),
      ),
    )
    .where('t.is_published', '=', true)
    .$if(Boolean(q?.trim()), (tracks) => tracks.where(matchesSearch(q ?? '')))
    .$if(category !== undefined, (tracks) => tracks.where('t.category', '=', category ?? null))
}

async function countTracks(ctx: MemberContext, filters: Filters): Promise<number> {
  const { total } = await matchingTracks(ctx, filters)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

const isLikedAlone = ({ q, category, liked }: Filters) =>
  liked === 'true' && !q?.trim() && category === undefined

/** Those that members do not see any more are few: they are looked up and subtracted, and all others not even read. */
function likedCount({ actor }: MemberContext) {
  return sql<number | null>`(
    select count(*) - count(hidden.id)
      from likes left join tracks hidden on hidden.id = likes.track_id and not hidden.is_published
     where likes.user_id = ${actor.user_id})`
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
