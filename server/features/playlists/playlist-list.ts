// Lists of playlists by scope: the member's own, those shared with them, curated ones, and public ones of other
// members.
import { sql, type RawBuilder } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { playlist } from '#contract/playlists.ts'
import type * as contract from '#contract/playlists.ts'
import { readAsJson } from '../../platform/db/json-rows.ts'
import { matchesFolded, matchRank } from '../../platform/db/search-pattern.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { decodeCursor, encodeCursor } from '../../platform/operations/cursor.ts'
import { type JsonText, serializeResponse } from '../../platform/db/ready-json.ts'
import { selectPlaylists } from './playlist-query.ts'

type Filters = ParsedInput<typeof contract.listPlaylists>['query']

/** Lists playlists page by page, newest first. A search returns the best matches first. */
export async function listPlaylists(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listPlaylists>,
): Promise<JsonText<Output<typeof contract.listPlaylists>>> {
  const isSearch = Boolean(query.q?.trim())
  // A search cursor with two values was issued by an older server, which sorted newest first: continue in that order.
  const cursor = decodeCursor(query.cursor, isSearch ? [3, 2] : [2])
  const rank = isSearch && cursor?.length !== 2 ? matchRank('search_folded', query.q ?? '') : null
  const chosen = choosePage(ctx, query, rank, cursor)
  // The cursor needs times in microseconds, which the response does not contain.
  const keys = [...(rank ? [rank] : []), sql`p.created_at`, sql`p.id`]
  const page = selectPlaylists(ctx.db, ctx.actor.user_id, chosen)
    .select(
      sql<string[]>`array[${sql.join(keys.map((key) => sql`${key}::text`))}]`.as('sort_values'),
    )
    .clearOrderBy()
    .orderBy(sql.join(keys.map((key) => sql`${key} desc`)))
  const rows = await readAsJson(ctx.db, playlist, page, ['sort_values'])
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return serializeResponse<typeof contract.listPlaylists>({
    data: shown.map(({ json }) => json),
    next_cursor: rows.length > query.limit && last ? encodeCursor(last.sort_values) : null,
  })
}

function choosePage(
  ctx: MemberContext,
  { scope, q, limit }: Filters,
  rank: RawBuilder<number> | null,
  cursor: string[] | null,
) {
  const me = ctx.actor.user_id
  const [id, createdAt, rankText] = cursor?.toReversed() ?? []
  return (
    ctx.db.query
      .selectFrom('playlists')
      .selectAll()
      .where('is_curated', '=', scope === 'curated')
      .$if(scope === 'own', (query) => query.where('created_by', '=', me))
      .$if(scope === 'shared', (query) =>
        query.where(
          sql<boolean>`id in (select playlist_id from playlist_members where user_id = ${me}::uuid)`,
        ),
      )
      .$if(scope === 'curated' || scope === 'public', (query) =>
        query.where('is_visible', '=', true),
      )
      // Leave out the member's own public playlists, because another scope lists them.
      .$if(scope === 'public', (query) =>
        query.where('is_public', '=', true).where('created_by', '<>', me),
      )
      .$if(Boolean(q?.trim()), (query) => query.where(matchesFolded('search_folded', q ?? '')))
      .$if(cursor !== null, (query) =>
        query.where(
          rank
            ? sql<boolean>`(${rank}, created_at, id) < (${rankText}::integer, ${createdAt}::timestamptz, ${id}::uuid)`
            : sql<boolean>`(created_at, id) < (${createdAt}::timestamptz, ${id}::uuid)`,
        ),
      )
      .$if(rank !== null, (query) => query.orderBy(sql`${rank} desc`))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
  )
}
