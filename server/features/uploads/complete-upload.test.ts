import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type Database } from '../../platform/db/database.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { markComplete } from './complete-upload.ts'

const log = { info() {}, warn() {}, error() {} }

let database: Awaited<ReturnType<typeof createTestDatabase>>
/**
 * A database with a single connection and a short idle-in-transaction timeout, so that the test need not wait a minute,
 * the normal timeout.
 */
let shortTimeoutDb: Database
beforeAll(async () => {
  database = await createTestDatabase()
  const { connectionString } = database
  shortTimeoutDb = createDatabase({ connectionString, maxConnections: 1, log })
  await sql`set idle_in_transaction_session_timeout = '300ms'`.execute(shortTimeoutDb.query)
})
afterAll(async () => {
  await shortTimeoutDb.close()
  await database.drop()
})

test('storing an uploaded file may take longer than the idle-in-transaction timeout', async () => {
  const { query } = database.db
  const path = `uploads/${randomUUID()}.wav`
  const person = await query
    .insertInto('profiles')
    .values({ email: 'slow@velour.test' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const upload = await query
    .insertInto('uploads')
    .values({
      user_id: person.id,
      bucket: 'audio',
      path,
      filename: 'song.wav',
      mime: 'audio/wav',
      token_hash: 'x',
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const isMarked = await markComplete(
    { db: shortTimeoutDb },
    { ...upload, path, byte_size: 4, store_upload_id: null },
    async () => {
      await sql`select pg_sleep(0.5)`.execute(query)
      return '0'.repeat(64)
    },
  )
  expect(isMarked).toBe(true)
  // The longer timeout applied only to the transaction that stored the file.
  const limit = sql`show idle_in_transaction_session_timeout`.execute(shortTimeoutDb.query)
  expect((await limit).rows).toEqual([{ idle_in_transaction_session_timeout: '300ms' }])
})
