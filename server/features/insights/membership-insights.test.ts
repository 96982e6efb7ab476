import { afterAll, beforeAll, expect, test } from 'vitest'
import { getMembershipInsights } from '#contract/admin/money/membership-insights.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

let rows = 0
const add = (row: object) =>
  app.services.db.query
    .insertInto('stripe_subscriptions')
    .values({ id: `sub_${++rows}`, event_is_simulated: false, status: 'active', ...row })
    .execute()
const join = (row: { joined_at: string; state?: 'paid' | 'rewarded'; paid_at?: string }) =>
  app.services.db.query
    .insertInto('referrals')
    .values({
      address_hash: String(++rows).padStart(64, '0'),
      months: 1,
      ...row,
      due_at: row.paid_at ?? null,
    })
    .execute()
const read = (start: string, end: string, by = admin) =>
  by.call(getMembershipInsights, { query: { start, end } })

test('counts cancellation reasons, accepted offers and referrals by month', async () => {
  const canceled = (cancel_asked_at: string, cancel_feedback: string | null) =>
    add({ cancel_asked_at, cancel_feedback, cancels: true })
  await canceled('2026-09-30T23:59:59Z', 'unused')
  await canceled('2026-10-01T00:00:00Z', 'too_expensive')
  await canceled('2026-10-20T12:00:00Z', 'too_expensive')
  await canceled('2026-11-02T12:00:00Z', 'something new')
  await add({ cancel_asked_at: '2026-10-20T12:00:00Z', event_is_simulated: true })
  await add({ cancel_asked_at: '2026-11-03T12:00:00Z', cancel_reason: 'payment_failed' })
  await add({ retained_at: '2026-10-05T12:00:00Z' })
  await add({ retained_at: '2026-10-06T12:00:00Z', status: 'canceled' })
  await join({ joined_at: '2026-10-05T12:00:00Z' })
  await join({
    joined_at: '2026-10-05T12:00:00Z',
    state: 'rewarded',
    paid_at: '2026-11-01T12:00:00Z',
  })
  expect((await read('2026-10-01', '2026-11-30')).body).toEqual({
    months: ['2026-10', '2026-11'],
    reasons: [
      { reason: 'too_expensive', counts: [2, 0] },
      { reason: 'none', counts: [0, 1] },
      { reason: 'payment_failed', counts: [0, 1] },
    ],
    offers_taken: [2, 0],
    offers_kept: [1, 0],
    referred: [2, 0],
    referred_paid: [0, 1],
    referred_rewarded: [0, 1],
  })
  expect((await read('2026-11-03', '2026-11-03')).body.reasons).toEqual([
    { reason: 'payment_failed', counts: [1] },
  ])
})

test('rejects a range that ends before it starts, and rejects everyone except admins', async () => {
  expect((await read('2026-10-02', '2026-10-01')).code).toBe('invalid_period')
  const member = await app.makePerson()
  expect((await read('2026-10-01', '2026-10-02', member)).code).toBe('forbidden')
})
