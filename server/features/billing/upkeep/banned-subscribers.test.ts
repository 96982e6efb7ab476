// Tests that banned members are not charged.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { changePeople } from '#contract/admin/admin-bulk.ts'
import { banUser, unbanUser, updateUserRole } from '#contract/admin/admin-users.ts'
import { invoiceEvent, subscriptionEvent } from '../../../testing/stripe/stripe-payloads.ts'
import { createStripeApp, type StripeApp } from '../../../testing/stripe/stripe-app.ts'
import { sweepStripeTasks } from './stripe-tasks.ts'

let app: StripeApp
const now = Math.floor(Date.now() / 1000)

beforeAll(async () => {
  app = await createStripeApp()
})
beforeEach(() => void (app.stripe.calls.length = 0))
afterAll(() => app.close())

let purchases = 0

async function makeSubscriber(status = 'active') {
  const member = await app.makePerson()
  const number = ++purchases
  const ids = { subscription: `sub_${number}`, customer: `cus_${number}`, userId: member.id }
  await app.deliver(subscriptionEvent('created', { ...ids, created: now - 100, status }))
  return { id: member.id, ids, path: `/v1/subscriptions/${ids.subscription}` }
}
const sweep = () => sweepStripeTasks(app.services, new Date())
const calls = () => app.stripe.calls.map(({ method, path, form }) => [method, path, form])
const pause = (path: string) => ['POST', path, { 'pause_collection[behavior]': 'void' }]

test.each(['active', 'trialing', 'past_due'])(
  'a ban pauses a subscription with the status %s',
  async (status) => {
    const { id, ids, path } = await makeSubscriber(status)
    expect((await app.admin.call(banUser, { params: { id } })).status).toBe(200)
    expect(calls()).toEqual([])
    expect(await sweep()).toBe(1)
    expect(calls()).toEqual([pause(path)])
    await app.deliver(subscriptionEvent('updated', { ...ids, created: now, status, paused: true }))
    expect(await app.subscriptionOf(id)).toMatchObject({ status: 'inactive', is_billed: true })
    const { after } = await app.services.db.query
      .selectFrom('audit_log')
      .select('after')
      .where('entity_id', '=', id)
      .where('entity', '=', 'subscription')
      .where('actor_id', 'is', null)
      .orderBy('id', 'desc')
      .offset(1)
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(after).toEqual({ stripe: 'paused', reason: 'the person is banned' })
  },
)

test('a ban by role or by a bulk change also pauses the subscription', async () => {
  const [first, second] = [await makeSubscriber(), await makeSubscriber()]
  await app.admin.call(updateUserRole, { params: { id: first.id }, body: { role: 'banned' } })
  const selection = { ids: [second.id] }
  await app.admin.call(changePeople, { body: { selection, change: { kind: 'ban' } } })
  expect(await sweep()).toBe(2)
  expect(calls()).toEqual(expect.arrayContaining([pause(first.path), pause(second.path)]))
})

test('a ban that is lifted before the worker runs changes nothing at Stripe', async () => {
  const { id } = await makeSubscriber()
  await app.admin.call(banUser, { params: { id } })
  await app.admin.call(unbanUser, { params: { id } })
  expect(await sweep()).toBe(1)
  expect(calls()).toEqual([])
})

test('a ban takes effect while Stripe is unavailable, and the subscription is paused later', async () => {
  const { id, path } = await makeSubscriber()
  app.stripe.failWith(500)
  expect((await app.admin.call(banUser, { params: { id } })).status).toBe(200)
  expect(await sweep()).toBe(0)
  app.stripe.failWith(null)
  app.stripe.calls.length = 0
  expect(await sweepStripeTasks(app.services, new Date(Date.now() + 120_000))).toBe(1)
  expect(calls()).toEqual([pause(path)])
})

test('lifting a ban does not resume the charges, but Activate does', async () => {
  const { id, ids, path } = await makeSubscriber()
  await app.admin.call(banUser, { params: { id } })
  await sweep()
  await app.deliver(subscriptionEvent('updated', { ...ids, created: now - 50, paused: true }))
  await app.admin.call(unbanUser, { params: { id } })
  app.stripe.calls.length = 0
  await sweep()
  expect(calls()).toEqual([])
  const body = { action: 'update_subscription', user_id: id } as const
  await app.admin.call(runBillingAction, { body: { ...body, tier: 'monthly', status: 'active' } })
  expect(calls()).toEqual([['POST', path, { pause_collection: '' }]])
  expect(await app.subscriptionOf(id)).toMatchObject({ status: 'active' })
})

test('voids an invoice that Stripe is still trying to collect', async () => {
  const { id, ids, path } = await makeSubscriber()
  const failed = { ...ids, invoice: 'in_banned', created: now - 40 }
  await app.deliver(invoiceEvent('invoice.payment_failed', failed))
  await app.admin.call(banUser, { params: { id } })
  app.stripe.calls.length = 0
  expect(await sweep()).toBe(1)
  expect(calls()).toEqual([pause(path), ['POST', '/v1/invoices/in_banned/void', {}]])
})

test('pauses a subscription that begins during a ban', async () => {
  const member = await app.makePerson()
  await app.admin.call(banUser, { params: { id: member.id } })
  const ids = { subscription: 'sub_late', customer: 'cus_late', userId: member.id }
  await app.deliver(subscriptionEvent('created', { ...ids, created: now }))
  expect(await sweep()).toBe(1)
  expect(calls()).toEqual([pause('/v1/subscriptions/sub_late')])
})
