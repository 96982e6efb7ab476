// Rows that PostgreSQL returns as JSON. For a list of a hundred tracks, parsing the rows into objects, checking and
// serializing them takes as long as the query.
import { type Expression, sql } from 'kysely'
import type * as z from 'zod/mini'
import { JsonText } from './ready-json.ts'
import type { Handle } from './database.ts'

/**
 * Returns each row as JSON with exactly the fields of `shape`, in the query's order, and the columns that the caller
 * needs. Timestamps must be selected with `formatTimestamp`.
 */
export async function readAsJson<
  Shape extends z.ZodMiniObject,
  Row extends z.output<Shape>,
  Beside extends keyof Row & string,
>(
  handle: Handle,
  shape: Shape,
  query: Expression<Row>,
  beside: readonly Beside[] = [],
): Promise<(Pick<Row, Beside> & { json: JsonText<z.output<Shape>> })[]> {
  const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(`r.${name}`)))
  const { rows } = await sql<Pick<Row, Beside> & { json: string }>`
    select ${columns(beside)}${sql.raw(beside.length > 0 ? ',' : '')} row_to_json(written)::text as json
      from ${query} r cross join lateral (select ${columns(Object.keys(shape.shape))}) written`.execute(
    handle.query,
  )
  return rows.map((row) => ({ ...row, json: new JsonText(row.json) }))
}

/** Selects a timestamp in the format of the API: UTC, truncated to milliseconds, `2026-11-21T03:00:00.120Z`. */
export function formatTimestamp(column: `${string}.${string}_at`) {
  return sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
