import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { transaction, type Handle } from './database.ts'
import { type Listener, openListener } from './listener.ts'

const log = { info() {}, warn() {}, error() {} }

let testDatabase: TestDatabase
let listener: Listener

beforeAll(async () => void (testDatabase = await createTestDatabase()))
afterAll(() => testDatabase.drop())
afterEach(() => listener.close())

async function listen() {
  const payloads: string[] = []
  const onMissed = vi.fn<() => void>()
  listener = await openListener({
    connectionString: testDatabase.connectionString,
    channel: 'Some channel',
    log,
    onNotification: (payload) => payloads.push(payload),
    onMissed,
  })
  return { payloads, onMissed }
}

const notify = (handle: Handle, payload: string) =>
  sql`select pg_notify('Some channel', ${payload})`.execute(handle.query)

const terminateListeners = () =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'velour-listener'`.execute(
    testDatabase.db.query,
  )

test('receives committed notifications in order, and no rolled-back ones', async () => {
  const { payloads } = await listen()
  const { db } = testDatabase
  await transaction(db, async (trx) => {
    await notify(trx, 'first')
    await notify(trx, 'second')
  })
  const undone = transaction(db, async (trx) => {
    await notify(trx, 'undone')
    throw new Error('no')
  })
  await expect(undone).rejects.toThrow('no')
  await notify(db, 'third')
  await expect.poll(() => payloads).toEqual(['first', 'second', 'third'])
})

test('catchUp resolves after everything committed before it was received, in each of 200 runs', async () => {
  const { payloads } = await listen()
  for (let i = 0; i < 200; i++) {
    await notify(testDatabase.db, `event ${i}`)
    await listener.catchUp()
    expect(payloads).toHaveLength(i + 1)
  }
})

test('catchUp resolves immediately while the connection is down', async () => {
  await listen()
  await terminateListeners()
  await listener.catchUp()
  await expect.poll(() => listener.isConnected()).toBe(true)
})

test('reconnects when its connection is lost, and reports that events may have been missed', async () => {
  const { payloads, onMissed } = await listen()
  expect(listener.isConnected()).toBe(true)
  for (const times of [1, 2]) {
    await terminateListeners()
    await expect.poll(() => onMissed.mock.calls.length).toBe(times)
    expect(listener.isConnected()).toBe(true)
    await notify(testDatabase.db, `after ${times}`)
    await expect.poll(() => payloads.at(-1)).toBe(`after ${times}`)
  }
})

test('receives nothing and does not reconnect after it was closed', async () => {
  const { payloads, onMissed } = await listen()
  await listener.close()
  expect(listener.isConnected()).toBe(false)
  await notify(testDatabase.db, 'late')
  const countListeners = async () =>
    (
      await sql`select from pg_stat_activity
                where datname = current_database() and application_name = 'velour-listener'`.execute(
        testDatabase.db.query,
      )
    ).rows.length
  await expect.poll(countListeners).toBe(0)
  expect(payloads).toEqual([])
  expect(onMissed).not.toHaveBeenCalled()
})
