// Checks that a change evicts all affected cache entries. The test sends the events itself, because only their order
// matters.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/operations/context.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createStreamSource, type StreamSource } from './stream-source.ts'

const listener: Actor = {
  user_id: 'u',
  session_id: 's',
  email: 'a@velour.test',
  email_verified: true,
  display_name: 'A',
  avatar_url: null,
  role: 'member',
  subscription_status: 'active',
  subscription_tier: 'monthly',
  subscription_ends_at: null,
  two_factor_enabled: false,
}

let database: TestDatabase
let db: Database
let source: StreamSource
let queries: number
let trackId: string
let connected: boolean
let notifyChanged: (id: string) => unknown
let notifyMissed: () => unknown

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  db = database.db
  queries = 0
  connected = true
  const counting: Database = {
    ...db,
    get query() {
      queries++
      return db.query
    },
  }
  source = createStreamSource({
    db: counting,
    bus: {
      on(_topic, listener) {
        notifyChanged = listener
        return () => {}
      },
      onMissed(listener) {
        notifyMissed = listener
        return () => {}
      },
      isConnected: () => connected,
    },
    showcase: { has: async () => true },
    reportDamage() {},
    now: () => new Date(),
  })
  const track = await db.query
    .insertInto('tracks')
    .values({ title: 'A', artist: 'B', is_published: true, processing_status: 'ready' })
    .returning('id')
    .executeTakeFirstOrThrow()
  trackId = track.id
  await db.query
    .insertInto('renditions')
    .values({
      track_id: trackId,
      kind: 'high',
      storage_key: `audio/${trackId}/high.m4a`,
      mime: 'audio/mp4',
      byte_size: 1,
      duration_seconds: 1,
      etag: '"a"',
    })
    .execute()
})

const find = () => source.findFull(listener, trackId)
const unpublish = () =>
  db.query.updateTable('tracks').set({ is_published: false }).where('id', '=', trackId).execute()

test('many range requests for a track cause one query', async () => {
  await Promise.all([find(), find(), find()])
  await find()
  expect(queries).toBe(1)
})

test.each([
  ['a change of the track', () => notifyChanged(trackId)],
  ['a change event without a track id', () => notifyChanged('')],
  ['a reconnect that may have missed changes', () => notifyMissed()],
  ['a lost event connection', () => (connected = false)],
])('%s causes a new query', async (_what, happen) => {
  await find()
  await unpublish()
  happen()
  await expect(find()).rejects.toMatchObject({ code: 'track_not_found' })
})

test('a change of another track causes no query', async () => {
  await find()
  notifyChanged('00000000-0000-7000-8000-000000000000')
  await find()
  expect(queries).toBe(1)
})

test('a result that was read during a change is not used for later requests', async () => {
  const early = find()
  await unpublish()
  notifyChanged(trackId)
  // Success and failure are both correct, because the request started before the change.
  await early.catch(() => null)
  await expect(find()).rejects.toMatchObject({ code: 'track_not_found' })
})

test('does not cache failed queries or unknown tracks', async () => {
  const unknown = '00000000-0000-7000-8000-000000000000'
  for (let i = 0; i < 2; i++) {
    await expect(source.findFull(listener, unknown)).rejects.toMatchObject({
      code: 'track_not_found',
    })
    await expect(source.findFull(listener, 'no uuid')).rejects.toThrow('uuid')
  }
  expect(queries).toBe(4)
})
