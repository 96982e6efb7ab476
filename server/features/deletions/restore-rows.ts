// Restores deleted table rows from JSON. Covers all columns of the table, including those that later migrations add.
import { sql, type RawBuilder } from 'kysely'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'

/**
 * Inserts rows from JSON that `to_jsonb` created. `replaced` contains SQL expressions over `kept` for columns that get
 * a new value.
 */
export async function restoreRows(
  trx: Transaction,
  table: keyof Tables,
  rows: readonly object[],
  {
    replaced = {},
    from = sql`kept`,
  }: { replaced?: Record<string, RawBuilder<unknown>>; from?: RawBuilder<unknown> } = {},
): Promise<void> {
  const columns = await readColumns(trx, table)
  const values = columns.map((column) => replaced[column] ?? sql.ref(`kept.${column}`))
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    with kept as (
      select * from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
    )
    select ${sql.join(values)} from ${from}`.execute(trx.query)
}

async function readColumns(trx: Transaction, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
     where attrelid = ${`public.${table}`}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`.execute(trx.query)
  return rows.map(({ name }) => name)
}
