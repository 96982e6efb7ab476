import Fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDatabase, transaction, type Database } from '../db/database.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { healthRoutes } from './health-routes.ts'

const log = { info() {}, warn() {}, error() {} }

let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
let app: FastifyInstance
let queryCount = 0
let isStopping = false
let isGone = false

beforeEach(async () => {
  database = await createTestDatabase()
  // One connection: who holds it keeps every question waiting.
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
  healthRoutes(app, { db: { ...db, query: counted }, isStopping: () => isStopping })
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await app.close()
  await db.close()
  await database.drop()
})

const ready = async () => (await app.inject('/readyz')).statusCode

test('a thousand who ask cost one question a second', async () => {
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

test('a question without an answer is not asked again beside it', async () => {
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

test('a second later it says what is true then, and at once that it stops', async () => {
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
