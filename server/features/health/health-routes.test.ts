import Fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDatabase, transaction, type Database } from '../../platform/db/database.ts'
import { createSecretBox } from '../../platform/security/secret-box.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { healthRoutes } from './health-routes.ts'

const secretBox = createSecretBox(['s'.repeat(40)])
const log = { info() {}, warn() {}, error() {} }

let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
let app: FastifyInstance
let queryCount = 0
let isStopping = false
let isGone = false
const build = { version: '1.2.3', commit: '0123456789ab' }

beforeEach(async () => {
  database = await createTestDatabase()
  // A single connection, so that every query waits while a test uses it.
  db = createDatabase({ connectionString: database.connectionString, maxConnections: 1, log })
  const counted = db.query.withPlugin({
    transformQuery({ node }) {
      queryCount++
      return node
    },
    async transformResult({ result }) {
      if (isGone) throw new Error('The connection was lost')
      return result
    },
  })
  queryCount = 0
  isStopping = false
  isGone = false
  app = Fastify()
  healthRoutes(app, {
    db: { ...db, query: counted },
    isStopping: () => isStopping,
    secretBox,
    build,
  })
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
  await db.close()
  await database.drop()
})

const ready = async () => (await app.inject('/readyz')).statusCode

test('/healthz returns version and commit without querying the database', async () => {
  isGone = true
  const answer = await app.inject('/healthz')
  expect(answer.json()).toEqual({ status: 'ok', version: '1.2.3', commit: '0123456789ab' })
  expect(queryCount).toBe(0)
})

test('a thousand health checks cause one query per second', async () => {
  const many = () => Promise.all(Array.from({ length: 500 }, ready))
  expect(new Set([...(await many()), ...(await many())])).toEqual(new Set([200]))
  expect(queryCount).toBe(1)
  vi.advanceTimersByTime(999)
  await many()
  expect(queryCount).toBe(1)
  vi.advanceTimersByTime(1)
  await many()
  expect(queryCount).toBe(2)
})

test('does not start a second database query while one is pending', async () => {
  const waiting = await transaction(db, async (trx) => {
    await sql`select 1`.execute(trx.query)
    const first = ready()
    await vi.waitFor(() => expect(queryCount).toBe(1))
    vi.advanceTimersByTime(5_000)
    return { answers: [first, ready(), ready()] }
  })
  expect(await Promise.all(waiting.answers)).toEqual([200, 200, 200])
  expect(queryCount).toBe(1)
})

test('returns 503 while the database does not respond, and 200 when it responds again', async () => {
  const impatient = Fastify()
  healthRoutes(impatient, { db, isStopping: () => false, secretBox, build }, { queryTimeoutMs: 20 })
  const readyNow = async () => (await impatient.inject('/readyz')).statusCode
  await transaction(db, async (trx) => {
    await sql`select 1`.execute(trx.query)
    expect(await Promise.all([readyNow(), readyNow()])).toEqual([503, 503])
    vi.advanceTimersByTime(5_000)
    expect(await readyNow()).toBe(503)
  })
  await vi.waitFor(async () => expect(await readyNow()).toBe(200))
  await impatient.close()
})

test('reports a changed state after at most a second, and a shutdown immediately', async () => {
  expect(await ready()).toBe(200)
  isGone = true
  vi.advanceTimersByTime(999)
  expect(await ready()).toBe(200)
  vi.advanceTimersByTime(1)
  expect(await ready()).toBe(503)
  isGone = false
  vi.advanceTimersByTime(1000)
  expect(await ready()).toBe(200)
  isStopping = true
  expect(await ready()).toBe(503)
})
