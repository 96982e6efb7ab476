// Release operations for members: list, search, open, like. Unpublished releases and tracks are hidden here.
import { sql, type RawBuilder } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { release, releaseTrack } from '#contract/releases.ts'
import type * as contract from '#contract/releases.ts'
import { readAsJson } from '../../platform/db/json-rows.ts'
import { type JsonText, serializeResponse } from '../../platform/db/ready-json.ts'
import { matchesFolded, matchRank } from '../../platform/db/search-pattern.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { decodeCursor, encodeCursor } from '../../platform/operations/cursor.ts'
import { selectTracks } from '../tracks/track-query.ts'
import { isVisibleRelease, selectReleases } from './release-query.ts'

type Filters = ParsedInput<typeof contract.listReleases>['query']

interface ReleaseOrder {
  /** The sort keys, and the types that a cursor's values are cast to. The last key is unique. */
  keys: readonly (readonly [
    value: RawBuilder<unknown>,
    type: 'integer' | 'date' | 'text' | 'uuid',
  ])[]
  direction: 'asc' | 'desc'
}

const id = [sql`r.id`, 'uuid'] as const
const released = [sql`r.released_on`, 'date'] as const

function chooseOrder({ q, order }: Filters): ReleaseOrder {
  if (order === 'title') return { keys: [[sql`lower(r.title)`, 'text'], id], direction: 'asc' }
  const rank = !order && q?.trim() && ([matchRank('r.search_folded', q), 'integer'] as const)
  return { keys: [...(rank ? [rank] : []), released, id], direction: 'desc' }
}

/**
 * Lists releases page by page. A subquery selects the page by ids and sort keys; full rows are read only for the page.
 */
export async function listReleases(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listReleases>,
): Promise<JsonText<Output<typeof contract.listReleases>>> {
  const { keys, direction } = chooseOrder(query)
  const cursor = decodeCursor(query.cursor, [keys.length])
  const sorted = sql.join(keys.map(([key]) => sql`${key} ${sql.raw(direction)}`))
  const beyond = sql.raw(direction === 'desc' ? '<' : '>')
  const after = keys.map(([, type], at) => sql`${cursor?.[at]}::${sql.raw(type)}`)
  const chosen = selectMatchingReleases(ctx, query)
    .select('r.id')
    .$if(cursor !== null, (releases) =>
      releases.where(
        sql<boolean>`(${sql.join(keys.map(([key]) => key))}) ${beyond} (${sql.join(after)})`,
      ),
    )
    .orderBy(sorted)
    .limit(query.limit + 1)
  const page = selectReleases(ctx.db, ctx.actor.user_id)
    .where('r.id', 'in', ({ selectFrom }) => selectFrom(chosen.as('chosen')).select('chosen.id'))
    .select(
      sql<string[]>`array[${sql.join(keys.map(([key]) => sql`${key}::text`))}]`.as('sort_values'),
    )
    .orderBy(sorted)
  const rows = await readAsJson(ctx.db, release, page, ['sort_values'])
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return serializeResponse<typeof contract.listReleases>({
    data: shown.map(({ json }) => json),
    next_cursor: rows.length > query.limit && last ? encodeCursor(last.sort_values) : null,
  })
}

function selectMatchingReleases(ctx: MemberContext, { q, kind, artist, liked }: Filters) {
  return ctx.db.query
    .selectFrom('releases as r')
    .where(isVisibleRelease)
    .$if(Boolean(q?.trim()), (query) => query.where(matchesFolded('r.search_folded', q ?? '')))
    .$if(kind !== undefined, (query) => query.where('r.kind', '=', kind ?? 'album'))
    .$if(artist !== undefined, (query) =>
      query.where('r.id', 'in', ({ selectFrom }) =>
        selectFrom('release_credits')
          .select('release_id')
          .where('artist_id', '=', artist ?? ''),
      ),
    )
    .$if(liked === 'true', (query) =>
      query.where('r.id', 'in', ({ selectFrom }) =>
        selectFrom('release_likes').select('release_id').where('user_id', '=', ctx.actor.user_id),
      ),
    )
}

/** Returns a release with its published tracks, numbered without gaps on each disc. */
export async function getRelease(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.getRelease>,
): Promise<JsonText<Output<typeof contract.getRelease>>> {
  const found = await selectReleases(ctx.db, ctx.actor.user_id)
    .select([
      'r.description',
      'r.label',
      'r.upc',
      sql<number | null>`album_loudness_lufs(r.id)`.as('album_loudness_lufs'),
      'summary.true_peak_dbtp as album_true_peak_dbtp',
    ])
    .where(matchesIdOrSlug(params.id))
    .executeTakeFirst()
  if (!found) throw new AppError('release_not_found')
  const tracks = await readAsJson(
    ctx.db,
    releaseTrack,
    selectTracks(ctx.db, ctx.actor.user_id)
      .innerJoin('release_tracks as e', 'e.track_id', 't.id')
      .select([
        'e.disc',
        sql<number>`row_number() over (partition by e.disc order by e.position)`.as('position'),
      ])
      .where('e.release_id', '=', found.id)
      .where('t.is_published', '=', true)
      .orderBy('e.disc')
      .orderBy('e.position'),
  )
  return serializeResponse<typeof contract.getRelease>({
    ...found,
    tracks: tracks.map(({ json }) => json),
  })
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A condition on releases by id, current slug or former slug. A slug never looks like an id. */
export function matchesIdOrSlug(address: string) {
  return uuid.test(address)
    ? sql<boolean>`r.id = ${address}::uuid`
    : sql<boolean>`(r.slug = ${address}
        or r.id = (select release_id from release_slugs where slug = ${address}))`
}

/** Saves a like. Does nothing if the release is already liked. */
export async function likeRelease(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.likeRelease>,
): Promise<void> {
  const { rows } = await sql<{ found: boolean }>`
    with release as (select r.id from releases r where r.id = ${params.id} and ${isVisibleRelease}),
    liked as (
      insert into release_likes (user_id, release_id) select ${ctx.actor.user_id}, id from release
      on conflict do nothing
    )
    select exists (select from release) as found`.execute(ctx.db.query)
  if (!rows[0]?.found) throw new AppError('release_not_found')
}

/** Removes a like. Does nothing if there is none. */
export async function unlikeRelease(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.unlikeRelease>,
): Promise<void> {
  await ctx.db.query
    .deleteFrom('release_likes')
    .where('user_id', '=', ctx.actor.user_id)
    .where('release_id', '=', params.id)
    .execute()
}
