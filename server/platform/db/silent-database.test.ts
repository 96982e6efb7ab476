// A half-open connection to the database: packets are dropped, but the connection is not closed.
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFaultProxy, type FaultProxy } from '../../testing/fault-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createDatabase } from './database.ts'
import { isDatabaseUnavailable } from './database-error.ts'
import { openListener } from './listener.ts'

const log = { info() {}, warn() {}, error() {} }

let database: TestDatabase
let proxy: FaultProxy
let through: string

beforeEach(async () => {
  database = await createTestDatabase()
  const url = new URL(database.connectionString)
  const folder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  proxy = await startFaultProxy(
    folder ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port },
  )
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${proxy.port}`
  through = url.href
})
afterEach(async () => {
  await proxy.close()
  await database.drop()
})

test('a query on an unresponsive connection fails as unavailable and blocks no other query', async () => {
  const db = createDatabase({
    connectionString: through,
    maxConnections: 1,
    log,
    silenceTimeoutMs: 300,
  })
  const runQuery = () => sql<{ one: number }>`select 1 as one`.execute(db.query)
  expect((await runQuery()).rows).toEqual([{ one: 1 }])
  await proxy.make('silent')
  const error: unknown = await runQuery().catch((reason: unknown) => reason)
  expect(isDatabaseUnavailable(error), String(error)).toBe(true)
  expect(db.pool.totalCount).toBe(0)
  await proxy.make('none')
  expect((await runQuery()).rows).toEqual([{ one: 1 }])
  await db.close()
})

test('a listener detects an unresponsive connection and reconnects', async () => {
  const received: string[] = []
  let missed = 0
  const listener = await openListener({
    connectionString: through,
    channel: 'velour',
    log,
    onNotification: (payload) => received.push(payload),
    onMissed: () => missed++,
    patience: { pollIntervalMs: 400, responseTimeoutMs: 300 },
  })
  await proxy.make('silent')
  await expect.poll(() => listener.isConnected()).toBe(false)
  await proxy.make('none')
  await expect.poll(() => missed, { timeout: 5_000 }).toBe(1)
  expect(listener.isConnected()).toBe(true)
  await sql`select pg_notify('velour', 'again')`.execute(database.db.query)
  await expect.poll(() => received).toEqual(['again'])
  await listener.close()
})
