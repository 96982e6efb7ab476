// Streams a query result as CSV from PostgreSQL's COPY. Memory use is constant for any number of rows.
import type { Readable } from 'node:stream'
import type { CompiledQuery } from 'kysely'
import { sql, type Expression } from 'kysely'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Database } from './database.ts'

/**
 * Returns CSV with the column names of the query in the first line. The connection returns to the pool when the
 * stream ends or is destroyed. The query's parameters must be strings, numbers, booleans or null.
 */
export async function copyCsv(db: Database, query: CompiledQuery): Promise<Readable> {
  const client = await db.pool.connect()
  try {
    // An export may run longer than the timeout. It also ends when the client disconnects.
    await client.query('begin read only; set local statement_timeout = 0')
    const stream = client.query(
      copyTo(`copy (${inlineParameters(query)}) to stdout with (format csv, header true)`),
    )
    let failed = false
    stream.once('error', () => (failed = true))
    stream.once('close', () => {
      // If the stream was not read to its end, rows are still arriving on the connection, so it can't be reused.
      const clean = stream.readableEnded && !failed
      if (!clean) return client.release(true)
      client.query('commit').then(
        () => client.release(),
        (error: Error) => client.release(error),
      )
    })
    return stream
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** COPY takes no parameters, so they are inserted as literals, quoted by the driver. */
function inlineParameters({ sql: text, parameters }: CompiledQuery): string {
  return text.replace(/\$(\d+)/g, (_, number: string) => literal(parameters[Number(number) - 1]))
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return pg.escapeLiteral(value)
  throw new TypeError(`A ${typeof value} cannot be inlined into an export's query`)
}

/**
 * Prevents spreadsheets from evaluating a cell as a formula: adds an apostrophe before text that starts like a
 * formula. This includes the full-width characters of Chinese and Japanese keyboards (OWASP, CSV Injection).
 */
export function escapeCsvText(value: Expression<string | null>) {
  return sql<
    string | null
  >`case when ${value} ~ '^[=+@＝＋－＠\\t\\r\\n-]' then '''' || ${value} else ${value} end`
}
