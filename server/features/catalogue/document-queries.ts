// Reads the documents of an export as JSON texts, by queries made from the list of columns.
import { sql, type RawBuilder } from 'kysely'
import type { Transaction } from '../../platform/db/database.ts'
import {
  catalogueDocuments,
  type DocumentName,
  type ExportedDocument,
  type ExportedPart,
} from './catalogue-format.ts'

/** Rows that are in memory at once. */
const batchRows = 200

export interface DocumentRow {
  /** The document as JSON text, without what only the export knows: its files. */
  document: string
  /** Of a track: where its recording is. */
  source_key: string | null
}

/** The transaction must be one snapshot. */
export async function* readDocuments(
  trx: Transaction,
  name: DocumentName,
): AsyncGenerator<DocumentRow> {
  const cursor = sql.ref(`exported_${name}`)
  await sql`declare ${cursor} no scroll cursor for ${queryOf(catalogueDocuments[name])}`.execute(
    trx.query,
  )
  for (;;) {
    const { rows } = await sql<DocumentRow>`
      fetch forward ${sql.lit(batchRows)} from ${cursor}`.execute(trx.query)
    yield* rows
    if (rows.length < batchRows) break
  }
  await sql`close ${cursor}`.execute(trx.query)
}

function queryOf({ table, columns, parts, where, order }: ExportedDocument): RawBuilder<unknown> {
  const fields = [
    ...pairs(Object.keys(columns)),
    ...Object.entries(parts).map(([name, part]) => sql`${sql.lit(name)}, ${partOf(part)}`),
  ]
  const sourceKey = table === 'tracks' ? sql`t.source_key` : sql`null::text`
  return sql`
    select json_build_object(${sql.join(fields)})::text as document, ${sourceKey} as source_key
      from ${sql.table(table)} t where ${where === undefined ? sql`true` : sql.raw(where)}
     order by ${sql.raw(order)}`
}

function partOf({ table, columns, parent, where, order }: ExportedPart): RawBuilder<unknown> {
  return sql`
    coalesce((
      select json_agg(json_build_object(${sql.join(pairs(Object.keys(columns)))}) order by ${sql.raw(order)})
        from (select * from ${sql.table(table)} t where ${where === undefined ? sql`true` : sql.raw(where)}) p
       where p.${sql.ref(parent)} = t.id
    ), '[]')`
}

function pairs(columns: readonly string[]): RawBuilder<unknown>[] {
  return columns.map((column) => sql`${sql.lit(column)}, ${sql.ref(column)}`)
}
