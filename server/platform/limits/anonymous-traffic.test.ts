import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type Database } from '../db/database.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { handleErrors } from '../http/error-handler.ts'
import { limitAnonymousTraffic } from './anonymous-traffic.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let db: Database
const log = { info() {}, warn() {}, error() {} }

beforeAll(async () => {
  database = await createTestDatabase()
  db = createDatabase({ connectionString: database.connectionString, maxConnections: 4, log })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

async function createApp(perMinute = 3) {
  // Each test starts without counted requests.
  await db.query.deleteFrom('traffic_counts').execute()
  return createInstance(perMinute)
}

/** Creates one of several instances that use the same database. */
async function createInstance(perMinute: number) {
  const app = Fastify()
  handleErrors(app)
  limitAnonymousTraffic(app, {
    isSignedIn: (request) => request.headers.cookie === 'session',
    db,
    perMinute,
  })
  const open = { method: 'GET', summary: '', access: 'anyone' }
  const add = (path: string, config: object) => app.get(path, { config }, async () => 'fine')
  add('/api/open', { endpoint: { ...open, path: '/api/open' } })
  add('/api/open-too', { endpoint: { ...open, path: '/api/open-too' } })
  add('/api/stream', { endpoint: { ...open, path: '/api/stream', produces: 'audio/mp4' } })
  add('/api/member', { endpoint: { ...open, path: '/api/member', access: 'member' } })
  add('/page', {})
  return {
    app,
    statuses: async (url: string, count: number, options: object = {}) => {
      const all: number[] = []
      for (let i = 0; i < count; i++) all.push((await app.inject({ url, ...options })).statusCode)
      return all
    },
  }
}

test('limits anonymous requests per address across all open operations', async () => {
  const { app, statuses } = await createApp()
  expect(await statuses('/api/open', 2)).toEqual([200, 200])
  expect(await statuses('/api/open-too', 2)).toEqual([200, 429])
  const refused = await app.inject({ url: '/api/open' })
  expect(refused.json()).toMatchObject({ error: { code: 'rate_limited' } })
  const seconds = Number(refused.headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(await statuses('/api/open', 1, { remoteAddress: '192.0.2.7' })).toEqual([200])
})

test('does not count signed-in people, streams, member operations and pages', async () => {
  const { statuses } = await createApp()
  const fine = Array<number>(8).fill(200)
  expect(await statuses('/api/open', 8, { headers: { cookie: 'session' } })).toEqual(fine)
  for (const url of ['/api/stream', '/api/member', '/page'])
    expect(await statuses(url, 8)).toEqual(fine)
  expect(await statuses('/api/open', 1)).toEqual([200])
})

test('instances share one limit, and each may exceed it by at most a twentieth', async () => {
  const perMinute = 100
  const instances = [
    await createApp(perMinute),
    await createInstance(perMinute),
    await createInstance(perMinute),
  ]
  const urls = await Promise.all(instances.map(({ app }) => app.listen({ port: 0 })))
  const statuses: number[] = []
  // Sends requests to all instances in turn, as a proxy would. Concurrently, so that they finish within one minute on
  // a busy machine.
  for (let round = 0; round < perMinute; round++) {
    const visits = urls.map(async (url) => {
      const response = await fetch(`${url}/api/open`)
      await response.text()
      return response.status
    })
    statuses.push(...(await Promise.all(visits)))
  }
  await Promise.all(instances.map(({ app }) => app.close()))
  const answered = statuses.filter((status) => status === 200).length
  expect(answered).toBeGreaterThanOrEqual(perMinute)
  expect(answered).toBeLessThanOrEqual(perMinute * (1 + 3 / 20) + 3)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})

test('writes no row for a few requests, and ignores counts of past windows', async () => {
  const { statuses } = await createApp(200)
  expect(new Set(await statuses('/api/open', 9))).toEqual(new Set([200]))
  expect(await db.query.selectFrom('traffic_counts').selectAll().execute()).toEqual([])
  await statuses('/api/open', 200)
  const stored = () => db.query.selectFrom('traffic_counts').select('count').execute()
  await expect.poll(stored).toHaveLength(1)
  await db.query.updateTable('traffic_counts').set({ resets_at: '2020-01-01T00:00:00Z' }).execute()
  const other = await createInstance(200)
  expect(new Set(await other.statuses('/api/open', 150))).toEqual(new Set([200]))
})
