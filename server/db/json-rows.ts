// Rows that go out as PostgreSQL writes them. A list of a hundred tracks is otherwise read into objects, checked and
// written again, which takes as long as asking for it.
import { type Expression, sql } from 'kysely'
import type * as z from 'zod/mini'
import { JsonText } from '../http/ready-json.ts'
import type { Handle } from './database.ts'

/**
 * Each row as the JSON of `shape`, with exactly its fields, in the query's order; and beside it the columns that the
 * caller needs for itself. Moments have to be selected as `wireTime`.
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

/** A moment as the wire has it, in UTC and cut to milliseconds: `2026-11-21T03:00:00.120Z`. */
export function wireTime(column: `${string}.${string}_at`) {
  return sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
