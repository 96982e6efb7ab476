// Lists of playlists: the member's own, the house's, and what other members opened.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { type listPlaylists, playlist } from '#contract/playlists.ts'
import { readAsJson } from '../db/json-rows.ts'
import { searchPattern } from '../db/search-pattern.ts'
import type { MemberContext } from '../http/context.ts'
import { decodeCursor, encodeCursor } from '../http/cursor.ts'
import { type JsonText, readyJson } from '../http/ready-json.ts'
import { playlistQuery } from './playlist-query.ts'

type Filters = ParsedInput<typeof listPlaylists>['query']

/** Newest first, page by page. */
export async function listPlaylistsForMember(
  ctx: MemberContext,
  { query }: ParsedInput<typeof listPlaylists>,
): Promise<JsonText<Output<typeof listPlaylists>>> {
  const page = playlistQuery(ctx.db, ctx.actor.user_id, choosePage(ctx, query))
    // The cursor keeps microseconds, which the wire does not.
    .select(sql<string>`p.created_at::text`.as('sort_value'))
  const rows = await readAsJson(ctx.db, playlist, page, ['id', 'sort_value'])
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  return readyJson<typeof listPlaylists>({
    data: shown.map(({ json }) => json),
    next_cursor:
      rows.length > query.limit && last ? encodeCursor([last.sort_value, last.id]) : null,
  })
}

function choosePage(ctx: MemberContext, { scope, q, limit, cursor }: Filters) {
  const after = decodeCursor(cursor, 2)
  const me = ctx.actor.user_id
  const pattern = searchPattern(q ?? '')
  return (
    ctx.db.query
      .selectFrom('playlists')
      .selectAll()
      .where('is_curated', '=', scope === 'curated')
      .$if(scope === 'own', (query) => query.where('created_by', '=', me))
      .$if(scope !== 'own', (query) => query.where('is_visible', '=', true))
      // The member's own public ones stand under their own already.
      .$if(scope === 'public', (query) =>
        query.where('is_public', '=', true).where('created_by', '<>', me),
      )
      .$if(pattern !== '%%', (query) =>
        query.where((eb) =>
          eb.or([
            eb(sql`lower(title)`, 'like', pattern),
            eb(sql`lower(description)`, 'like', pattern),
          ]),
        ),
      )
      .$if(after !== null, (query) =>
        query.where(
          sql<boolean>`(created_at, id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`,
        ),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
  )
}
