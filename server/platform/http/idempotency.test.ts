// Tests requests that are sent again with an Idempotency-Key, with the whole server and a real PostgreSQL.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Caller, type Person, type TestApp } from '../../testing/test-app.ts'
import { deleteOldIdempotencyKeys } from './idempotency.ts'

let app: TestApp
let member: Person

beforeAll(async () => {
  app = await createTestApp()
  member = await app.makePerson({ tier: 'premium' })
})
afterAll(() => app.close())

let keys = 0
const newKey = () => `key-${++keys}`

function create(key: string, title = 'Evening', caller: Caller = member, prefix = '/api') {
  return caller.send('POST', `${prefix}/playlists`, {
    body: { title },
    headers: { 'idempotency-key': key },
  })
}

async function countRows(title: string): Promise<number> {
  const rows = await app.services.db.query
    .selectFrom('playlists')
    .select('id')
    .where('title', '=', title)
    .execute()
  return rows.length
}

test('returns the stored response to a repeated request', async () => {
  const key = newKey()
  const first = await create(key, 'Once')
  const again = await create(key, 'Once', member, '/api/v1')
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.body).toEqual(first.body)
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  // The draft of the standard writes keys as strings in quotes.
  expect((await create(`"${key}"`, 'Once')).body).toEqual(first.body)
  expect(await countRows('Once')).toBe(1)
})

test('refuses a different request with the same key', async () => {
  const key = newKey()
  await create(key, 'First')
  const other = await create(key, 'Second')
  expect([other.status, other.code]).toEqual([422, 'idempotency_key_reused'])
  expect(await countRows('Second')).toBe(0)
})

test('treats equal keys of two accounts as different', async () => {
  const key = newKey()
  const other = await app.makePerson({ tier: 'premium' })
  await create(key, 'Both')
  expect((await create(key, 'Both', other)).status).toBe(201)
  expect(await countRows('Both')).toBe(2)
})

test('after a request was refused, accepts it again with the same key', async () => {
  const free = await app.makePerson()
  const key = newKey()
  await create(newKey(), 'Only one', free)
  expect((await create(key, 'Over the limit', free)).code).toBe('playlist_limit_reached')
  await app.services.db.query.deleteFrom('playlists').where('title', '=', 'Only one').execute()
  expect((await create(key, 'Over the limit', free)).status).toBe(201)
})

test.each(['', 'with space', 'x'.repeat(256)])('refuses the key %j', async (key) => {
  const response = await create(key)
  expect([response.status, response.code]).toEqual([400, 'invalid_input'])
})

test('executes one of ten concurrent requests, and refuses the others or returns its response', async () => {
  const key = newKey()
  const responses = await Promise.all(Array.from({ length: 10 }, () => create(key, 'At once')))
  for (const { status, code } of responses) {
    expect(status === 201 || code === 'idempotency_key_in_progress').toBe(true)
  }
  expect(responses.some(({ status }) => status === 201)).toBe(true)
  expect(await countRows('At once')).toBe(1)
})

/** Runs `work` while the row is locked, so that the person's transactions wait until it has ended. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  await app.services.db.query.transaction().execute(async (trx) => {
    await trx.selectFrom('profiles').select('id').where('id', '=', member.id).forUpdate().execute()
    await work()
  })
}

/** Returns the id of the PostgreSQL process that waits for the lock. */
async function findWaiting(): Promise<number | undefined> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`.execute(app.services.db.query)
  return rows[0]?.pid
}

test('refuses a second request while the first one runs', async () => {
  const key = newKey()
  let first: ReturnType<typeof create> | undefined
  await whileLocked(async () => {
    first = create(key, 'Slow')
    await expect.poll(findWaiting).toBeDefined()
    const second = await create(key, 'Slow')
    expect([second.status, second.code]).toEqual([409, 'idempotency_key_in_progress'])
    expect(second.headers.get('retry-after')).toBe('1')
  })
  expect((await first)?.status).toBe(201)
  expect(await countRows('Slow')).toBe(1)
})

test('executes a request exactly once when it is retried after a crash', async () => {
  const key = newKey()
  let first: ReturnType<typeof create> | undefined
  await whileLocked(async () => {
    first = create(key, 'Killed')
    await expect.poll(findWaiting).toBeDefined()
    await app.asOwner(`select pg_terminate_backend(${await findWaiting()})`)
    expect((await first).status).toBeGreaterThanOrEqual(500)
  })
  expect(await countRows('Killed')).toBe(0)
  const again = await create(key, 'Killed')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect((await create(key, 'Killed')).body).toEqual(again.body)
  expect(await countRows('Killed')).toBe(1)
})

test('records a payment once when it is sent twice', async () => {
  const admin = await app.makePerson({ role: 'admin' })
  const user_id = member.id
  const pay = () =>
    admin.send('POST', '/api/admin-billing', {
      body: {
        action: 'record_payment',
        user_id,
        kind: 'payment',
        payment_method: 'cash',
        amount_cents: 999,
      },
      headers: { 'idempotency-key': 'payment-1' },
    })
  const [first, again] = [await pay(), await pay()]
  expect([first.status, again.body]).toEqual([200, first.body])
  const ledger = await admin.send('POST', '/api/admin-billing', {
    body: { action: 'list_payments', user_id },
  })
  expect((ledger.body as { payments: unknown[] }).payments).toHaveLength(1)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from audit_log where entity = 'subscription'`.execute(
    app.services.db.query,
  )
  expect(rows[0]?.count).toBe(1)
})

test('repeats the response of a bulk change although the people no longer match', async () => {
  const admin = await app.makePerson({ role: 'admin' })
  const person = await app.makePerson()
  const upgrade = () =>
    admin.send('POST', '/api/admin-users/bulk', {
      body: {
        selection: { users: { q: person.email, subscription_tier: 'free' }, count: 1 },
        change: { kind: 'plan', tier: 'monthly' },
      },
      headers: { 'idempotency-key': 'upgrade-1' },
    })
  const [first, again] = [await upgrade(), await upgrade()]
  expect([first.status, first.body]).toEqual([200, { changed: 1 }])
  expect([again.status, again.body]).toEqual([200, { changed: 1 }])
})

test('stores responses encrypted for a day, then deletes them', async () => {
  const { query } = app.services.db
  const key = newKey()
  await create(key, 'A secret title')
  const rows = await query.selectFrom('idempotency_keys').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('A secret title')
  const hours = (Date.parse(rows.at(-1)?.expires_at ?? '') - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23.9)
  await query
    .updateTable('idempotency_keys')
    .set({ expires_at: sql`now()` })
    .execute()
  expect((await create(key, 'After a day')).status).toBe(201)
  await deleteOldIdempotencyKeys(app.services.db)
  expect(await query.selectFrom('idempotency_keys').select('id').execute()).toHaveLength(1)
})
