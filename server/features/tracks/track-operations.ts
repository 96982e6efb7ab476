// Track operations for members: list, search, get, like. Unpublished tracks are hidden here.
import { sql } from 'kysely'
import { isStaff } from '#contract/access.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { track, type TrackDetail } from '#contract/tracks.ts'
import type * as contract from '#contract/tracks.ts'
import { readAsJson } from '../../platform/db/json-rows.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { decodeCursor, encodeCursor } from '../../platform/operations/cursor.ts'
import { type JsonText, serializeResponse } from '../../platform/db/ready-json.ts'
import { visibleToStaff } from '../ownership/owned-by.ts'
import { allCredits } from '../credits/credit-query.ts'
import { byMatch, getTrackOrder, type SortedBy } from './track-order.ts'
import { coverUrl, isInCategory, matchesSearch, selectTracks } from './track-query.ts'

type Filters = ParsedInput<typeof contract.listTracks>['query']

/**
 * The sort keys of lists that are read from an index ordered by the track's creation time: a member's likes, and the
 * tracks of a category.
 */
const indexKeys = {
  likes: [
    [sql`l.track_created_at`, 'timestamptz'],
    [sql`l.track_id`, 'uuid'],
  ],
  category: [
    [sql`k.track_created_at`, 'timestamptz'],
    [sql`k.track_id`, 'uuid'],
  ],
} satisfies Record<string, SortedBy['keys']>

type ListIndex = keyof typeof indexKeys

/**
 * Lists tracks page by page in the requested order. A search without a requested order returns the best matches first.
 * Search, category and likes can be combined. A subquery selects the page by ids and sort keys; full rows with cover
 * and preview are read only for the page.
 */
export async function readTracks(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listTracks>,
): Promise<JsonText<Output<typeof contract.listTracks>>> {
  // A cursor with two values in a search was issued by an older server, which sorted newest first: keep that order.
  const cursor = decodeCursor(query.cursor, query.q?.trim() && !query.order ? [3, 2] : [2])
  const isByMatch = !query.order && Boolean(query.q?.trim()) && cursor?.length !== 2
  const order = isByMatch ? byMatch(query.q ?? '') : getTrackOrder(query)
  const isLikedCount = cursor === null && isLikedAlone(query)
  // Ranking reads every match anyway, so the same query also counts them.
  const isMatchCount = cursor === null && isByMatch
  const page = selectTracks(ctx.db, ctx.actor.user_id)
    .innerJoin(
      choosePage(ctx, query, order, cursor)
        .select(
          sql<number | null>`${isMatchCount ? sql`count(*) over ()` : sql`null::bigint`}`.as(
            'total',
          ),
        )
        .as('page'),
      'page.id',
      't.id',
    )
    .select(
      sql<string[]>`array[${sql.join(order.keys.map(([key]) => sql`${key}::text`))}]`.as(
        'sort_values',
      ),
    )
    // Counting within this query is cheaper than a second round trip to the database.
    .select((isLikedCount ? countLiked(ctx) : sql<number | null>`page.total`).as('total'))
    .orderBy(sql.join(order.keys.map(([key]) => sql`${key} ${sql.raw(order.direction)}`)))
  const isCounted = isLikedCount || isMatchCount
  const [rows, total] = await Promise.all([
    readAsJson(ctx.db, track, page, ['sort_values', 'total']),
    cursor || isCounted ? null : countTracks(ctx, query),
  ])
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return serializeResponse<typeof contract.listTracks>({
    data: shown.map(({ json }) => json),
    next_cursor: rows.length > query.limit && last ? encodeCursor(last.sort_values) : null,
    total: isCounted ? (rows[0]?.total ?? 0) : total,
  })
}

function choosePage(ctx: MemberContext, query: Filters, order: SortedBy, cursor: string[] | null) {
  const index = order.isByCreation ? chooseIndex(query) : null
  const keys = index ? indexKeys[index] : order.keys
  const { direction } = order
  const beyond = sql.raw(direction === 'desc' ? '<' : '>')
  const after = keys.map(([, type], at) => sql`${cursor?.[at]}::${sql.raw(type)}`)
  return selectMatchingTracks(ctx, query, index)
    .select('t.id')
    .$if(cursor !== null, (tracks) =>
      tracks.where(
        sql<boolean>`(${sql.join(keys.map(([key]) => key))}) ${beyond} (${sql.join(after)})`,
      ),
    )
    .orderBy(sql.join(keys.map(([key]) => sql`${key} ${sql.raw(direction)}`)))
    .limit(query.limit + 1)
}

function chooseIndex({ liked, category, q, artist, mood }: Filters): ListIndex | null {
  if (liked === 'true') return 'likes'
  const isCategoryAlone = !q?.trim() && artist === undefined && mood === undefined
  return category !== undefined && isCategoryAlone ? 'category' : null
}

/**
 * The joins and conditions of the list, on `tracks as t`. Joins `likes as l` if only liked tracks are requested, and
 * `track_categories as k` if the list is read from that table's index.
 */
function selectMatchingTracks(ctx: MemberContext, filters: Filters, index: ListIndex | null) {
  const { q, category, mood, liked, artist } = filters
  const isByCategory = index === 'category'
  return ctx.db.query
    .selectFrom('tracks as t')
    .$if(liked === 'true', (tracks) =>
      tracks.innerJoin('likes as l', (join) =>
        join.onRef('l.track_id', '=', 't.id').on('l.user_id', '=', ctx.actor.user_id),
      ),
    )
    .$if(isByCategory, (tracks) =>
      tracks.innerJoin('track_categories as k', (join) =>
        join
          .onRef('k.track_id', '=', 't.id')
          .on('k.category', '=', category ?? '')
          .on('k.is_published', '=', true),
      ),
    )
    .where('t.is_published', '=', true)
    .$if(Boolean(q?.trim()), (tracks) => tracks.where(matchesSearch(q ?? '')))
    .$if(category !== undefined && !isByCategory, (tracks) =>
      tracks.where(isInCategory(category ?? '')),
    )
    .$if(mood !== undefined, (tracks) => tracks.where(sql<boolean>`t.moods @> array[${mood}]`))
    .$if(artist !== undefined, (tracks) => tracks.where(hasArtist(artist ?? '')))
}

async function countTracks(ctx: MemberContext, filters: Filters): Promise<number> {
  if (chooseIndex(filters) === 'category') {
    const { total } = await ctx.db.query
      .selectFrom('track_categories')
      .select(sql<number>`count(*)`.as('total'))
      .where('category', '=', filters.category ?? '')
      .where('is_published', '=', true)
      .executeTakeFirstOrThrow()
    return total
  }
  const { total } = await selectMatchingTracks(ctx, filters, null)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Whether the artist performs the track. Credits as author do not count. */
const hasArtist = (artistId: string) => sql<boolean>`t.id in (
  select c.track_id from track_credits c
   where c.artist_id = ${artistId} and c.role in ('main', 'featured', 'remixer'))`

const isLikedAlone = ({ q, category, mood, liked, artist }: Filters) =>
  [category, mood, artist].every((filter) => filter === undefined) && liked === 'true' && !q?.trim()

/**
 * Counts a member's liked tracks. Few liked tracks are hidden, so subtracting those is cheaper than checking every
 * liked track.
 */
function countLiked({ actor }: MemberContext) {
  return sql<number | null>`(
    select count(*) - count(hidden.id)
      from likes left join tracks hidden on hidden.id = likes.track_id and not hidden.is_published
     where likes.user_id = ${actor.user_id})`
}

/** One track with its waveform and lyrics. A draft is returned only to people who may edit it. */
export async function getTrack(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.getTrack>,
): Promise<Output<typeof contract.getTrack>> {
  const found = await selectTracks(ctx.db, ctx.actor.user_id, allCredits('t.id'))
    .select([
      sql<string | null>`translate(encode(t.peaks, 'base64'), e'\n', '')`.as('peaks'),
      't.lyrics',
      't.credits',
      't.is_published',
      selectOtherVersions('t.id').as('versions'),
    ])
    .where('t.id', '=', params.id)
    .where(sql<boolean>`(t.is_published or ${isDraftVisible(ctx)})`)
    .executeTakeFirst()
  if (!found) throw new AppError('track_not_found')
  return found
}

function isDraftVisible({ actor }: MemberContext) {
  return isStaff(actor.role) ? visibleToStaff(actor, 't.owner_id') : sql<boolean>`false`
}

function selectOtherVersions(id: 't.id') {
  return sql<TrackDetail['versions']>`(
    select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'title', o.title, 'artist', o.artist, 'duration', o.duration,
             'cover_url', ${coverUrl('o.cover_id')}, 'cover_tint', c.tint, 'cover_placeholder', c.placeholder)
             order by o.created_at, o.id), '[]')
      from track_versions own
      join track_versions other on other.group_id = own.group_id and other.track_id <> own.track_id
      join tracks o on o.id = other.track_id and o.is_published
      left join images c on c.id = o.cover_id
     where own.track_id = ${sql.ref(id)})`
}

/** Saves a like. Does nothing if the track is already liked. */
export async function likeTrack(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.likeTrack>,
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

/** Removes a like. Does nothing if there is none. */
export async function unlikeTrack(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.unlikeTrack>,
): Promise<void> {
  await ctx.db.query
    .deleteFrom('likes')
    .where('user_id', '=', ctx.actor.user_id)
    .where('track_id', '=', params.id)
    .execute()
}

/**
 * Saves or removes likes of many tracks. Throws `track_not_found` and changes nothing if a track to like is not
 * published.
 */
export async function likeTracks(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.likeTracks>,
): Promise<void> {
  const { user_id } = ctx.actor
  const ids = [...new Set(body.track_ids.map((id) => id.toLowerCase()))]
  if (!body.is_liked) {
    await sql`delete from likes where user_id = ${user_id} and track_id = any(${ids}::uuid[])`.execute(
      ctx.db.query,
    )
    return
  }
  const { rows } = await sql<{ found: number }>`
    with found as (select id from tracks where id = any(${ids}::uuid[]) and is_published),
    liked as (
      insert into likes (user_id, track_id) select ${user_id}, id from found
       where (select count(*) from found) = ${ids.length}::int
      on conflict do nothing
    )
    select count(*)::int as found from found`.execute(ctx.db.query)
  if (rows[0]?.found !== ids.length) throw new AppError('track_not_found')
}
