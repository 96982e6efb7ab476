import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createDatabase, type Database, transaction, type Transaction } from './database.ts'
import { getViolatedConstraint, getSqlState } from './database-error.ts'
import { queryAt } from './with-client.ts'

let testDatabase: TestDatabase
let db: Database
let logged: string[]

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  await testDatabase.asOwner(`
    create table counters (id int primary key, n int not null constraint counters_small check (n < 100));
    grant all on counters to velour_app`)
})
afterAll(() => testDatabase.drop())

beforeEach(async () => {
  logged = []
  const note = (_: unknown, message = '') => void logged.push(message)
  db = createDatabase({
    connectionString: testDatabase.connectionString,
    maxConnections: 4,
    log: { info: () => {}, warn: note, error: note },
  })
  await sql`truncate counters`.execute(db.query)
  await sql`insert into counters values (1, 0), (2, 0)`.execute(db.query)
})
afterEach(() => db.close())

const readCounter = async (id: number) => {
  const { rows } = await sql<{ n: number }>`select n from counters where id = ${id}`.execute(
    db.query,
  )
  return rows[0]!.n
}

const add = (trx: Transaction, id: number) =>
  sql`update counters set n = n + 1 where id = ${id}`.execute(trx.query)

test('returns values in their wire format', async () => {
  const { rows } = await sql`
    select 9007199254740991 as big, array[1::int8, null] as bigs, 9.99::numeric as price,
           sum(n) as sum, '2026-11-21 03:00:00+00'::timestamptz as at,
           '2026-11-21 05:00:00.123456+02'::timestamptz as finer, date '2026-11-21' as day,
           array['2026-11-21 03:00:00.5+00'::timestamptz] as times, null::timestamptz as never
    from counters`.execute(db.query)
  expect(rows).toEqual([
    {
      big: Number.MAX_SAFE_INTEGER,
      bigs: [1, null],
      price: 9.99,
      sum: 0,
      at: '2026-11-21T03:00:00.000Z',
      finer: '2026-11-21T03:00:00.123Z',
      day: '2026-11-21',
      times: ['2026-11-21T03:00:00.500Z'],
      never: null,
    },
  ])
})

test('refuses values that would lose precision, and the connection stays usable', async () => {
  const tooBig = sql`select 9007199254740993::int8`.execute(db.query)
  await expect(tooBig).rejects.toThrow('does not fit')
  const endless = sql`select 'infinity'::timestamptz`.execute(db.query)
  await expect(endless).rejects.toThrow('is not a moment')
  expect(await readCounter(1)).toBe(0)
})

test('uses custom plans and UTC, and limits the time of statements and transactions', async () => {
  const read = async (name: string) =>
    (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db.query))
      .rows[0]!.value
  expect(await read('plan_cache_mode')).toBe('force_custom_plan')
  expect(await read('TimeZone')).toBe('UTC')
  expect(await read('statement_timeout')).toBe('30s')
  expect(await read('idle_in_transaction_session_timeout')).toBe('1min')
})

test('keeps options of the connection string', async () => {
  const url = new URL(testDatabase.connectionString)
  url.searchParams.set('options', '-c work_mem=3MB')
  const own = createDatabase({ connectionString: url.href, maxConnections: 1, log: db.log })
  const { rows } = await sql`
    select current_setting('work_mem') as work_mem, current_setting('plan_cache_mode') as mode
  `.execute(own.query)
  await own.close()
  expect(rows).toEqual([{ work_mem: '3MB', mode: 'force_custom_plan' }])
})

test('returns the name of the violated constraint', async () => {
  const failing = async () => sql`insert into counters values (1, 0)`.execute(db.query)
  const error = await failing().catch((reason: unknown) => reason)
  expect(getViolatedConstraint(error)).toBe('counters_pkey')
  expect(getSqlState(error)).toBe('23505')
  const tooLarge = await sql`update counters set n = 100`.execute(db.query).catch((e: unknown) => e)
  expect(getViolatedConstraint(tooLarge)).toBe('counters_small')
  expect(getViolatedConstraint(new Error('other'))).toBeUndefined()
  expect(getSqlState(Object.assign(new Error('other'), { code: 'ENOENT' }))).toBeUndefined()
})

test('commits a transaction, then runs its hooks in order', async () => {
  const seen: unknown[] = []
  const result = await transaction(db, async (trx) => {
    trx.afterCommit(async () => seen.push('first', await readCounter(1)))
    trx.afterCommit(() => seen.push('second'))
    await add(trx, 1)
    seen.push('work')
    return 'done'
  })
  expect(result).toBe('done')
  expect(seen).toEqual(['work', 'first', 1, 'second'])
})

test('rolls back a transaction that throws, and runs no hook', async () => {
  const seen: string[] = []
  const failing = transaction(db, async (trx) => {
    trx.afterCommit(() => seen.push('hook'))
    await add(trx, 1)
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await readCounter(1)).toBe(0)
  expect(seen).toEqual([])
})

test('does not commit after a swallowed failure', async () => {
  const seen: string[] = []
  const failing = transaction(db, async (trx) => {
    trx.afterCommit(() => seen.push('hook'))
    await add(trx, 1)
    await sql`select 1 / 0`.execute(trx.query).catch(() => null)
  })
  await expect(failing).rejects.toThrow()
  expect(await readCounter(1)).toBe(0)
  expect(seen).toEqual([])
})

test('logs a failing hook, runs the other hooks and keeps the commit', async () => {
  const seen: string[] = []
  await transaction(db, async (trx) => {
    trx.afterCommit(() => {
      throw new Error('mail server down')
    })
    trx.afterCommit(() => seen.push('second'))
    await add(trx, 1)
  })
  expect(await readCounter(1)).toBe(1)
  expect(seen).toEqual(['second'])
  expect(logged).toEqual(['A step after a committed transaction failed'])
})

test.each(['commit', 'rollback'])(
  'refuses to use a transaction handle after its %s',
  async (end) => {
    let kept: Transaction | undefined
    let prepared: (() => Promise<unknown>) | undefined
    const ended = transaction(db, async (trx) => {
      kept = trx
      const { query } = trx
      prepared = () => sql`update counters set n = 50`.execute(query)
      if (end === 'rollback') throw new Error('no')
    })
    await ended.catch(() => null)
    expect(() => kept!.query).toThrow('This transaction has ended')
    expect(() => kept!.afterCommit(() => {})).toThrow('This transaction has ended')
    await expect(prepared!()).rejects.toThrow('already')
    expect(await readCounter(1)).toBe(0)
  },
)

test('retries after a deadlock', async () => {
  const hooks: number[] = []
  let attempts = 0
  const bothLocked = Promise.withResolvers<void>()
  let holding = 0
  const addBoth = (first: number, second: number) =>
    transaction(db, async (trx) => {
      attempts++
      trx.afterCommit(() => hooks.push(first))
      await add(trx, first)
      if (++holding === 2) bothLocked.resolve()
      await bothLocked.promise
      await add(trx, second)
    })
  await Promise.all([addBoth(1, 2), addBoth(2, 1)])
  expect([await readCounter(1), await readCounter(2)]).toEqual([2, 2])
  expect(attempts).toBe(3)
  expect(new Set(hooks)).toEqual(new Set([1, 2]))
  expect(hooks).toHaveLength(2)
})

test('retries after a serialization failure, a limited number of times', async () => {
  const increment = () =>
    transaction(
      db,
      async (trx) => {
        const { rows } = await sql<{ n: number }>`select n from counters where id = 1`.execute(
          trx.query,
        )
        await sql`update counters set n = ${rows[0]!.n + 1} where id = 1`.execute(trx.query)
      },
      { isolation: 'serializable' },
    )
  await Promise.all([increment(), increment(), increment()])
  expect(await readCounter(1)).toBe(3)

  let attempts = 0
  const alwaysFailing = transaction(db, async (trx) => {
    attempts++
    await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(
      trx.query,
    )
  })
  await expect(alwaysFailing).rejects.toThrow('again')
  expect(attempts).toBe(5)
})

test('the pool survives lost connections that are idle, in use or between two statements', async () => {
  const terminateAll = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(
      testDatabase.db.query,
    )
  await readCounter(1)
  await terminateAll()
  const torn = transaction(db, async (trx) => {
    await add(trx, 1)
    await terminateAll()
    await add(trx, 1)
  })
  await expect(torn).rejects.toThrow()
  await expect.poll(() => readCounter(1).catch(() => null)).toBe(0)
  expect(logged).toContain('A database connection was lost')
})

test('warns about lost connections, except while it is closing', async () => {
  const closing = createDatabase({
    connectionString: testDatabase.connectionString,
    maxConnections: 2,
    log: db.log,
  })
  const client = await closing.pool.connect()
  client.emit('error', new Error('terminated'))
  expect(logged).toEqual(['A database connection was lost'])
  client.release()
  const closed = closing.close()
  client.emit('error', new Error('terminated'))
  await closed
  expect(logged).toHaveLength(1)
})

test("leaves the driver's defaults unchanged for libraries with their own pool", async () => {
  const [row] = await queryAt(testDatabase.connectionString, 'select now() as now')
  expect(row!['now']).toBeInstanceOf(Date)
})
