// Compares the stored counts of rows with count(*) under concurrent changes.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { transaction } from './database.ts'
import { countAuditEntries, countPeople, foldRowCounts } from './row-counts.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const run = (text: string) => sql.raw(text).execute(database.db.query)

async function expectRight() {
  const { rows } = await sql<Record<'people' | 'active' | 'entries' | 'bans' | 'tracks', number>>`
    select (select count(*) from profiles) as people,
           (select count(*) from profiles where subscription_status = 'active') as active,
           (select count(*) from audit_log) as entries,
           (select count(*) from audit_log where action = 'ban' and entity = 'user') as bans,
           (select count(*) from audit_log where entity = 'track') as tracks`.execute(
    database.db.query,
  )
  const { db } = database
  expect({
    people: await countPeople(db),
    active: await countPeople(db, 'active'),
    entries: await countAuditEntries(db, {}),
    bans: await countAuditEntries(db, { action: 'ban', entity: 'user' }),
    tracks: await countAuditEntries(db, { entity: 'track' }),
  }).toEqual(rows[0])
  return rows[0]!
}

const people = (from: number, to: number) =>
  run(`insert into profiles (email, subscription_status, subscription_tier)
       select 'p' || i || '@example.com', case when i % 3 = 0 then 'active' else 'inactive' end, 'free'
         from generate_series(${from}, ${to}) i`)
const entries = (action: string, entity: string) =>
  run(`insert into audit_log (action, entity) values ('${action}', '${entity}')`)

test('counts stay exact under inserts, updates and deletes, even while count rows are merged', async () => {
  await people(1, 1000)
  const changes = Array.from({ length: 40 }, async (_, i) => {
    await people(2000 + i * 10, 2000 + i * 10 + 5)
    await run(`update profiles set subscription_status = 'active', subscription_tier = 'monthly'
                where email like 'p${i}%' and subscription_status <> 'active'`)
    await run(`delete from profiles where email = 'p${2000 + i * 10}@example.com'`)
    for (let n = 0; n < 10; n++) await entries(n % 2 ? 'ban' : 'update', n % 3 ? 'user' : 'track')
    await foldRowCounts(database.db)
  })
  await Promise.all(changes)
  expect((await expectRight()).people).toBe(1200)
  await foldRowCounts(database.db)
  await expectRight()
})

test('does not count rolled-back rows, and merges many count rows into few', async () => {
  const undone = transaction(database.db, async (trx) => {
    await trx.query.insertInto('profiles').values({ email: 'undone@example.com' }).execute()
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  for (let i = 0; i < 600; i++) await entries('update', 'track')
  await foldRowCounts(database.db)
  const { rows } = await sql<{ kept: number }>`
    select count(*) as kept from audit_counts`.execute(database.db.query)
  expect(rows[0]!.kept).toBeLessThan(20)
  await expectRight()
})
