// Opens a dedicated connection for one task, outside the pool.
import pg from 'pg'

/**
 * Runs the task with a connection to `to`, a URL or a result of `buildConnectionConfig`. The connection closes after
 * the task, even if it fails.
 */
export async function withClient<T>(
  to: string | pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(to)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs one statement on a dedicated connection and returns its rows. */
export async function queryAt<Row extends pg.QueryResultRow = pg.QueryResultRow>(
  to: string | pg.ClientConfig,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { rows } = await withClient(to, (client) => client.query<Row>(sql, values))
  return rows
}
