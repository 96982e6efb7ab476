// Reads the documents of an export (one per row) as JSON texts. The queries are built from the column lists of the
// format.
import { sql, type RawBuilder } from 'kysely'
import type { Transaction } from '../../platform/db/database.ts'
import {
  catalogueDocuments,
  type DocumentName,
  type ExportedDocument,
  type ExportedPart,
} from './catalogue-format.ts'

/** Maximum number of rows that are held in memory at a time. */
const batchRows = 200

export interface DocumentRow {
  /** The document as JSON text. The export adds the references to files. */
  document: string
  /** The storage key of a track's recording. */
  source_key: string | null
}

/**
 * Yields the documents of one exported table. All documents of an export must be read in one transaction with a single
 * snapshot.
 */
export async function* readDocuments(
  trx: Transaction,
  name: DocumentName,
): AsyncGenerator<DocumentRow> {
  const cursor = sql.ref(`exported_${name}`)
  await sql`declare ${cursor} no scroll cursor for ${buildQuery(catalogueDocuments[name])}`.execute(
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

function buildQuery({
  table,
  columns,
  parts,
  where,
  order,
}: ExportedDocument): RawBuilder<unknown> {
  const fields = [
    ...pairs(Object.keys(columns)),
    ...Object.entries(parts).map(
      ([name, part]) => sql`${sql.lit(name)}, coalesce(${buildPartRows(part)}, '[]')`,
    ),
  ]
  const sourceKey = table === 'tracks' ? sql`t.source_key` : sql`null::text`
  return sql`
    select json_build_object(${sql.join(fields)})::text as document, ${sourceKey} as source_key
      from ${sql.table(table)} t
     where ${buildCondition({ where })}
     order by ${sql.raw(order)}`
}

const buildCondition = ({ where }: Pick<ExportedPart, 'where'>) =>
  where === undefined ? sql`true` : sql.raw(where)

const listOf = ({ columns, order }: ExportedPart) =>
  sql`json_agg(json_build_object(${sql.join(pairs(Object.keys(columns)))}) order by ${sql.raw(order)})`

function buildPartRows(part: ExportedPart): RawBuilder<unknown> {
  return sql`(
    select ${listOf(part)} from (select * from ${sql.table(part.table)} t where ${buildCondition(part)}) p
     where p.${sql.ref(part.parent)} = t.id)`
}

function pairs(columns: readonly string[]): RawBuilder<unknown>[] {
  return columns.map((column) => sql`${sql.lit(column)}, ${sql.ref(column)}`)
}
