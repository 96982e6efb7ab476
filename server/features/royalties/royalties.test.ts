// Tests royalty statements over HTTP: computing them from payments and plays, exporting them as CSV, and closing
// months.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import { createArtist } from '#contract/admin/admin-artists.ts'
import { closeRoyalties, exportRoyalties, getRoyalties } from '#contract/creators/royalties.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person
const artists: Record<string, string> = {}
const tracks: Record<string, string> = {}

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  for (const name of ['North', 'South', '=Sum']) {
    artists[name] = (await admin.call(createArtist, { body: { name } })).body.id
  }
  tracks.north = await trackOf('North')
  tracks.south = await trackOf('South')
  tracks.both = await trackOf('North', 'South')
  tracks.sum = await trackOf('=Sum')
})
afterAll(() => app.close())

async function trackOf(...names: string[]): Promise<string> {
  const { query } = app.services.db
  const { id } = await query
    .insertInto('tracks')
    .values({ title: names.join(), artist: 'X', processing_status: 'ready', is_published: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.asOwner(`delete from track_credits where track_id = '${id}'`)
  for (const [position, name] of names.entries()) {
    await app.asOwner(`insert into track_credits (track_id, position, artist_id, role, joiner)
      values ('${id}', ${position}, '${artists[name]}', 'main', '')`)
  }
  return id
}

async function pay(person: Person, day: string, cents: number, more: object = {}): Promise<void> {
  await app.services.db.query
    .insertInto('payments')
    .values({
      user_id: person.id,
      kind: cents < 0 ? 'refund' : 'payment',
      amount_cents: cents,
      currency: 'usd',
      payment_method: 'cash',
      paid_at: `${day}T12:00:00Z`,
      ...more,
    })
    .execute()
}

async function addPlay(
  person: Person,
  track: string,
  moment: string,
  seconds: number,
  is_preview = false,
): Promise<void> {
  await app.services.db.query
    .insertInto('plays')
    .values({
      id: crypto.randomUUID(),
      user_id: person.id,
      track_id: tracks[track]!,
      is_preview,
      started_at: moment,
      reported_at: moment,
      heard_seconds: seconds,
      duration_seconds: 200,
    })
    .execute()
}

const statement = async (month: string, more: object = {}) =>
  (await admin.call(getRoyalties, { query: { month, ...more } })).body

test("splits each member's payments among the artists whom this member played in the same UTC month", async () => {
  const [ann, ben, cas, free] = await Promise.all(
    Array.from({ length: 4 }, () => app.makePerson()),
  ).then((people) => people as [Person, Person, Person, Person])
  await pay(ann, '2025-01-31', 1000)
  await pay(ben, '2025-01-01', 999)
  await pay(ben, '2025-01-20', -499)
  // This member paid but played nothing, so the owner keeps the payment.
  await pay(cas, '2025-01-10', 700)
  await pay(ann, '2025-02-01', 5000)
  await pay(ann, '2025-01-10', 9000, { is_simulated: true })
  await addPlay(ann, 'north', '2025-01-31T23:59:00Z', 300)
  await addPlay(ann, 'both', '2025-01-02T00:00:00Z', 200)
  await addPlay(ben, 'south', '2025-01-03T00:00:00Z', 60)
  // These do not count: a member who did not pay, a preview, and a play in another month.
  await addPlay(free, 'south', '2025-01-03T00:00:00Z', 6000)
  await addPlay(ben, 'north', '2025-01-03T00:00:00Z', 6000, true)
  await addPlay(ben, 'north', '2025-02-01T00:00:00Z', 6000)
  expect(await statement('2025-01')).toMatchObject({
    currency: 'usd',
    other_currencies: [],
    net_cents: 2200,
    owner_cents: 700,
    paying: 3,
    closed_at: null,
    data: [
      { artist_id: artists.North, name: 'North', amount_cents: 800, minutes: 6.67, listeners: 1 },
      { artist_id: artists.South, name: 'South', amount_cents: 700, minutes: 2.67, listeners: 2 },
    ],
  })
})

test("a refund in a later month reduces only the owner's amount, not an artist's", async () => {
  const person = await app.makePerson()
  await pay(person, '2025-03-31', 1000)
  await addPlay(person, 'north', '2025-03-31T00:00:00Z', 60)
  await pay(person, '2025-04-01', -1000)
  await addPlay(person, 'north', '2025-04-01T00:00:00Z', 60)
  expect((await statement('2025-03')).data).toMatchObject([{ amount_cents: 1000 }])
  expect(await statement('2025-04')).toMatchObject({
    net_cents: -1000,
    owner_cents: -1000,
    data: [],
  })
})

test('returns one statement per currency, the one with the highest payments first', async () => {
  const person = await app.makePerson()
  await pay(person, '2025-05-01', 100)
  await pay(person, '2025-05-01', 900, { currency: 'eur' })
  await addPlay(person, 'south', '2025-05-02T00:00:00Z', 60)
  expect(await statement('2025-05')).toMatchObject({
    currency: 'eur',
    other_currencies: ['usd'],
    net_cents: 900,
  })
  expect(await statement('2025-05', { currency: 'usd' })).toMatchObject({
    net_cents: 100,
    other_currencies: ['eur'],
  })
})

test('the statement of a closed month does not change after later payments, renames and deletions', async () => {
  const person = await app.makePerson()
  await pay(person, '2025-06-10', 1234)
  await addPlay(person, 'north', '2025-06-11T00:00:00Z', 60)
  const before = await statement('2025-06')
  const body = { month: '2025-06' }
  const closed = await admin.call(closeRoyalties, { body })
  expect(closed.status).toBe(201)
  await pay(person, '2025-06-30', -1234)
  await app.asOwner(`update artists set name = 'Far North' where id = '${artists.North}'`)
  const after = await statement('2025-06')
  expect(after).toEqual({ ...before, closed_at: closed.body.closed_at })
  expect((await admin.call(closeRoyalties, { body })).code).toBe('month_closed')
  const { data } = (await admin.call(listAuditLog, { query: { entity: 'royalty' } })).body
  expect(data[0]).toMatchObject({
    action: 'create',
    after: { month: '2025-06', totals: [{ currency: 'usd', net_cents: 1234 }] },
  })
  for (const table of ['royalty_statements', 'royalty_lines'] as const) {
    const change = app.services.db.query.deleteFrom(table).where('month', '=', '2025-06-01')
    await expect(change.execute()).rejects.toThrow('do not change')
  }
})

test('a month can be closed only after it has ended; one of two concurrent requests succeeds', async () => {
  const month = new Date().toISOString().slice(0, 7)
  expect((await admin.call(closeRoyalties, { body: { month } })).code).toBe('month_not_over')
  const body = { month: '2025-07' }
  const answers = await Promise.all([1, 2].map(() => admin.call(closeRoyalties, { body })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
})

test('the amounts in the CSV add up to the payments, formulas are escaped, and each download is audited', async () => {
  const person = await app.makePerson()
  await pay(person, '2025-08-10', 100)
  for (const track of ['north', 'south', 'sum']) {
    await addPlay(person, track, '2025-08-11T00:00:00Z', 60)
  }
  const other = await app.makePerson()
  await pay(other, '2025-08-10', 50)
  const answer = await admin.call(exportRoyalties, { query: { month: '2025-08' } })
  const [head, ...rows] = String(answer.body).trim().split('\n')
  expect(head?.replace('\uFEFF', '')).toBe(
    'month,artist,artist_id,minutes,listeners,amount_cents,amount,currency,state',
  )
  expect(rows.map((row) => row.split(',')[1] ?? '').toSorted()).toEqual(
    ["'=Sum", 'Far North', 'South', 'Stays with the owner'].toSorted(),
  )
  const cents = rows.map((row) => Number(row.split(',')[5]))
  expect(cents.reduce((sum, one) => sum + one, 0)).toBe(150)
  expect(rows.at(-1)).toContain('Stays with the owner,,,,50,0.50,usd,open')
  const { data } = (await admin.call(listAuditLog, { query: { entity: 'royalty' } })).body
  expect(data[0]).toMatchObject({
    action: 'export',
    after: { what: 'usd', start: '2025-08', end: '2025-08' },
  })
})
