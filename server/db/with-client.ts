// A connection of its own for one piece of work, outside of every pool.
import pg from 'pg'

/** `to` is an address or what `connectionConfig` makes of one. The connection ends with the work, however that ends. */
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

/** One statement on a connection of its own, and the rows that it finds. */
export async function queryAt<Row extends pg.QueryResultRow = pg.QueryResultRow>(
  to: string | pg.ClientConfig,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { rows } = await withClient(to, (client) => client.query<Row>(sql, values))
  return rows
}
