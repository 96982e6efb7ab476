// Artist operations for members. Only artists with a published track are visible.
import { sql, type RawBuilder } from 'kysely'
import * as z from 'zod/mini'
import { grantsAccess } from '#contract/access.ts'
import type * as contract from '#contract/artists.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type { Handle } from '../../platform/db/database.ts'
import { matchesFolded, matchRank } from '../../platform/db/search-pattern.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { decodeCursor, encodeCursor } from '../../platform/operations/cursor.ts'
import { selectTracks } from '../tracks/track-query.ts'
import { selectArtists, hasPublishedTrack } from './artist-query.ts'
import { isFollowed } from './follow-operations.ts'

const topTrackCount = 10
const appearanceCount = 20
const relatedCount = 12
/** Number of tracks in the artist's category in which related artists are searched. */
const neighborCount = 300

interface ArtistOrder {
  /** The sort keys, and the types that a cursor's values are cast to. The last key is unique. */
  keys: readonly (readonly [
    value: RawBuilder<unknown>,
    type: 'integer' | 'timestamptz' | 'text' | 'uuid',
  ])[]
  direction: 'asc' | 'desc'
}

const artistId = [sql`a.id`, 'uuid'] as const
const createdAt = [sql`a.created_at`, 'timestamptz'] as const
const byName: ArtistOrder = {
  keys: [[sql`lower(coalesce(a.sort_name, a.name))`, 'text'], artistId],
  direction: 'asc',
}
const newest: ArtistOrder = { keys: [createdAt, artistId], direction: 'desc' }
const byMatch = (q: string): ArtistOrder => ({
  keys: [[matchRank('a.search_folded', q), 'integer'], createdAt, artistId],
  direction: 'desc',
})

export async function listArtists(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listArtists>,
): Promise<Output<typeof contract.listArtists>> {
  const { q = '', limit } = query
  const isSearch = q.trim() !== ''
  const order = query.order === 'newest' ? newest : isSearch && !query.order ? byMatch(q) : byName
  const cursor = decodeCursor(query.cursor, [order.keys.length])
  const keys = sql.join(order.keys.map(([key]) => key))
  const after = order.keys.map(([, type], at) => sql`${cursor?.[at]}::${sql.raw(type)}`)
  const beyond = sql.raw(order.direction === 'desc' ? '<' : '>')
  const rows = await selectArtists(ctx.db)
    .select(
      sql<string[]>`array[${sql.join(order.keys.map(([key]) => sql`${key}::text`))}]`.as(
        'sort_values',
      ),
    )
    .where(hasPublishedTrack)
    .$if(query.followed !== undefined, (artists) => artists.where(isFollowed(ctx.actor.user_id)))
    .$if(isSearch, (artists) => artists.where(matchesFolded('a.search_folded', q)))
    .$if(cursor !== null, (artists) =>
      artists.where(sql<boolean>`(${keys}) ${beyond} (${sql.join(after)})`),
    )
    .orderBy(sql.join(order.keys.map(([key]) => sql`${key} ${sql.raw(order.direction)}`)))
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    data: shown.map(({ sort_values: _, ...artist }) => artist),
    next_cursor: rows.length > limit && last ? encodeCursor(last.sort_values) : null,
  }
}

/**
 * Finds an artist by id or slug. Former slugs and the ids of merged artists are accepted too. Editors can open artists
 * that have only drafts.
 */
export async function getArtist(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.getArtist>,
): Promise<Output<typeof contract.getArtist>> {
  const id = await findArtistId(ctx.db, params.id)
  const found =
    id &&
    (await selectArtists(ctx.db)
      .select(['a.biography', 'a.links', isFollowed(ctx.actor.user_id).as('is_followed')])
      .where('a.id', '=', id)
      .$if(!grantsAccess(ctx.actor.role, 'editor'), (artists) => artists.where(hasPublishedTrack))
      .executeTakeFirst())
  if (!found) throw new AppError('artist_not_found')
  const [top_tracks, appears_on, related] = await Promise.all([
    readTopTracks(ctx, id),
    readAppearances(ctx, id),
    readRelated(ctx.db, id),
  ])
  return { ...found, top_tracks, appears_on, related }
}

/** Returns an artist's id. Also accepts a former slug or the id of a merged artist. Null if there is none. */
export async function findArtistId(db: Handle, idOrSlug: string): Promise<string | null> {
  const isId = z.safeParse(z.uuid(), idOrSlug).success
  const { rows } = await sql<{ id: string }>`${
    isId
      ? sql`select id, 1 as place from artists where id = ${idOrSlug}
            union all select artist_id, 2 from artist_merges where id = ${idOrSlug}`
      : sql`select id, 1 as place from artists where slug = ${idOrSlug}
            union all select artist_id, 2 from artist_slugs where slug = ${idOrSlug}`
  } order by place limit 1`.execute(db.query)
  return rows[0]?.id ?? null
}

/** The artist's most played tracks of the last months, followed by the newest. */
function readTopTracks(ctx: MemberContext, id: string) {
  const top = sql<{ id: string; plays: number }>`(
    select t.id, coalesce(sum(m.plays), 0) as plays
      from tracks t
      left join track_months m on m.track_id = t.id
       and m.month >= date_trunc('month', now()) - interval '3 months'
     where t.is_published and t.id in (
       select c.track_id from track_credits c
        where c.artist_id = ${id} and c.role in ('main', 'featured', 'remixer'))
     group by t.id order by plays desc, t.created_at desc, t.id limit ${topTrackCount})`
  return selectTracks(ctx.db, ctx.actor.user_id)
    .innerJoin(top.as('top'), 'top.id', 't.id')
    .orderBy('top.plays', 'desc')
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id')
    .execute()
}

/** The newest tracks on which the artist is credited, but not as main artist. */
function readAppearances(ctx: MemberContext, id: string) {
  const appearances = sql<{ id: string }>`(
    select t.id from tracks t
     where t.is_published
       and t.id in (select c.track_id from track_credits c where c.artist_id = ${id} and c.role <> 'main')
       and not exists (select from track_credits c
                        where c.track_id = t.id and c.artist_id = ${id} and c.role = 'main')
     order by t.created_at desc, t.id desc limit ${appearanceCount})`
  return selectTracks(ctx.db, ctx.actor.user_id)
    .innerJoin(appearances.as('appearance'), 'appearance.id', 't.id')
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id', 'desc')
    .execute()
}

/**
 * Returns the artists who have tracks together with this artist, followed by the most frequent artists among the newest
 * tracks of this artist's main category.
 */
export async function findRelatedArtists(db: Handle, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with own as materialized (
      select t.id, t.category from track_credits c join tracks t on t.id = c.track_id
       where c.artist_id = ${id} and t.is_published order by t.created_at desc limit ${neighborCount}
    ), neighbors as materialized (
      select t.id from tracks t
       where t.is_published and t.category = (
         select category from own where category is not null group by category order by count(*) desc, category limit 1)
       order by t.created_at desc limit ${neighborCount}
    )
    select c.artist_id as id from (
      select c.artist_id, 1000 as weight from track_credits c join own o on o.id = c.track_id
      union all
      select c.artist_id, 1 from track_credits c join neighbors n on n.id = c.track_id and c.role = 'main'
    ) c where c.artist_id <> ${id}
    group by 1 order by sum(c.weight) desc, 1 limit ${relatedCount}`.execute(db.query)
  return rows.map((row) => row.id)
}

async function readRelated(db: Handle, id: string) {
  const ids = await findRelatedArtists(db, id)
  if (ids.length === 0) return []
  const related = await selectArtists(db).where('a.id', 'in', ids).execute()
  return related.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
}
