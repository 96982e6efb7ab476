// Tests which webhook events a change records.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { createRelease, publishRelease, updateRelease } from '#contract/admin/admin-releases.ts'
import {
  changeAdminTracks,
  publishTrack,
  restoreTracks,
  unpublishTrack,
  updateAdminTrack,
} from '#contract/admin/admin-tracks.ts'
import { createAdminUser, deleteUser } from '#contract/admin/admin-users.ts'
import { createWebhookEndpoint } from '#contract/admin/webhooks.ts'
import { webhookData, webhookEventTypes, type WebhookEventType } from '#contract/webhook-events.ts'
import { transaction } from '../../platform/db/database.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createStripeApp, type StripeApp } from '../../testing/stripe/stripe-app.ts'
import {
  checkoutEvent,
  invoiceEvent,
  refundedChargeEvent,
  subscriptionEvent,
} from '../../testing/stripe/stripe-payloads.ts'
import { expireSubscriptions } from '../billing/expire-subscriptions.ts'
import { publishDueReleases } from '../releases/publish-due-releases.ts'
import { publishDueTracks } from '../tracks/publish-due-tracks.ts'
import { buildWebhookBody } from './webhook-body.ts'

let app: StripeApp

beforeAll(async () => {
  app = await createStripeApp()
  const body = { url: 'https://hooks.example/in', event_types: [...webhookEventTypes] }
  await app.admin.call(createWebhookEndpoint, { body })
})
afterAll(() => app.close())
beforeEach(() => app.services.db.query.deleteFrom('webhook_events').execute())

/** Returns the recorded events, after validating each one against its documented schema. */
async function recorded(): Promise<[WebhookEventType, Record<string, unknown>][]> {
  const rows = await app.services.db.query
    .selectFrom('webhook_events')
    .selectAll()
    .orderBy('id')
    .execute()
  const deliveries = await app.services.db.query
    .selectFrom('webhook_deliveries')
    .select('event_id')
    .execute()
  expect(deliveries.map(({ event_id }) => event_id).toSorted()).toEqual(
    rows.map(({ id }) => id).toSorted(),
  )
  return rows.map((row) => {
    const type = row.type as WebhookEventType
    const { data } = JSON.parse(buildWebhookBody(app.services.config, row)) as {
      data: Record<string, unknown>
    }
    z.parse<z.ZodMiniType>(webhookData[type], data)
    return [type, data]
  })
}
const types = async () => (await recorded()).map(([type]) => type).toSorted()

const later = () => new Date(Date.now() + 60_000)
const inPast = (table: 'tracks' | 'releases', id: string) =>
  sql`update ${sql.table(table)} set release_at = now() - interval '1 second' where id = ${id}`.execute(
    app.services.db.query,
  )

test('records each publication of a track by an admin, also after the track was unpublished', async () => {
  const [id] = await makeTracks(app.services.db, 1, { published: false, prefix: 'Amber' })
  await app.admin.call(publishTrack, { params: { id: id! } })
  const [[type, data] = []] = await recorded()
  expect(type).toBe('track.published')
  expect(data).toEqual({
    track: {
      id,
      title: 'Amber 1',
      artist: 'Artist 1',
      audience: 'members',
      early_access_until: null,
      duration_seconds: 101,
      url: `${app.services.config.publicUrl}/browse?track=${id}`,
    },
  })
  await app.admin.call(updateAdminTrack, { params: { id: id! }, body: { title: 'Other' } })
  await app.admin.call(unpublishTrack, { params: { id: id! } })
  expect(await types()).toHaveLength(1)
  await app.admin.call(publishTrack, { params: { id: id! } })
  expect(await types()).toEqual(['track.published', 'track.published'])
})

test('an event about a track that is open to everyone contains the URL of its public page', async () => {
  const [id] = await makeTracks(app.services.db, 1, { published: false, prefix: 'Open Sea' })
  await app.admin.call(updateAdminTrack, {
    params: { id: id! },
    body: { audience: 'everyone', is_published: true },
  })
  expect((await recorded())[0]![1]).toMatchObject({
    track: { url: `${app.services.config.publicUrl}/t/open-sea-1` },
  })
})

test('records a scheduled track on its release date, and no event for a restored track', async () => {
  const [id] = await makeTracks(app.services.db, 1, { published: false })
  const body = { release_at: later().toISOString(), release_zone: 'UTC' }
  await app.admin.call(updateAdminTrack, { params: { id: id! }, body })
  await publishDueTracks(app.services.db, new Date())
  expect(await types()).toEqual([])
  await inPast('tracks', id!)
  await publishDueTracks(app.services.db, new Date())
  expect(await types()).toEqual(['track.published'])
  await app.admin.call(changeAdminTracks, { body: { action: 'delete', id: id! } })
  await app.admin.call(restoreTracks, { body: { ids: [id!] } })
  expect(await types()).toEqual(['track.published'])
})

test('records a release and its tracks when an admin or the schedule publishes them', async () => {
  const [one, two] = await makeTracks(app.services.db, 2, { published: false })
  const make = async (title: string, track_id: string) =>
    (await app.admin.call(createRelease, { body: { title, tracks: [{ track_id }] } })).body.id
  const now = await make('Tonight', one!)
  await app.admin.call(publishRelease, { params: { id: now }, body: { publish_tracks: true } })
  expect(await types()).toEqual(['release.published', 'track.published'])
  const release = (await recorded()).find(([type]) => type === 'release.published')![1]
  expect(release).toMatchObject({
    release: { id: now, title: 'Tonight', track_count: 1, kind: 'single' },
  })
  const due = await make('Tomorrow', two!)
  await app.admin.call(updateRelease, {
    params: { id: due },
    body: { release_at: later().toISOString(), release_zone: 'UTC' },
  })
  await inPast('releases', due)
  await publishDueReleases(app.services.db, new Date())
  expect((await types()).filter((type) => type === 'release.published')).toHaveLength(2)
})

test('records a new member who signed up or was created by an admin, with only the address and the id', async () => {
  const password = 'a-good-long-password'
  const email = 'new@velour.test'
  await app.nobody.send('POST', '/api/auth/sign-up/email', {
    body: { email, password, name: 'Ada' },
  })
  const { body } = await app.admin.call(createAdminUser, {
    body: { email: 'made@velour.test', password, display_name: 'Bea' },
  })
  expect(await recorded()).toEqual([
    ['member.joined', { member: { id: expect.any(String), email } }],
    ['member.joined', { member: { id: body.id, email: 'made@velour.test' } }],
  ])
})

test('deletes events about a person when the account is deleted', async () => {
  const { id } = await app.makePerson()
  expect(await types()).toEqual(['member.joined'])
  await app.admin.call(deleteUser, { params: { id } })
  expect(await types()).toEqual([])
})

test('records a Stripe purchase as started, paid, cancelled and ended', async () => {
  const buyer = await app.makeBuyer()
  const created = Math.floor(Date.now() / 1000)
  await app.deliver(checkoutEvent({ ...buyer.ids, created }))
  await app.deliver(subscriptionEvent('created', { ...buyer.ids, created }))
  const invoice = { ...buyer.ids, invoice: 'in_hook', created: created + 1 }
  await app.deliver(invoiceEvent('invoice.paid', invoice))
  await app.deliver(invoiceEvent('invoice.paid', invoice))
  expect(await types()).toEqual(['member.joined', 'subscription.paid', 'subscription.started'])
  const [, paid] = (await recorded()).find(([type]) => type === 'subscription.paid')!
  expect(paid).toMatchObject({
    member: { id: buyer.id },
    payment: { amount_cents: 999, currency: 'usd', payment_method: 'stripe', tier: 'monthly' },
  })
  await app.services.db.query.deleteFrom('webhook_events').execute()
  const cancelled = { ...buyer.ids, cancelAtPeriodEnd: true }
  await app.deliver(subscriptionEvent('updated', { ...cancelled, created: created + 2 }))
  await app.deliver(subscriptionEvent('updated', { ...cancelled, created: created + 3 }))
  expect(await types()).toEqual(['subscription.cancelled'])
  const ended = { ...buyer.ids, status: 'canceled', created: created + 4, endedAt: created + 4 }
  await app.deliver(subscriptionEvent('deleted', ended))
  expect(await types()).toEqual(['subscription.cancelled', 'subscription.ended'])
  await app.deliver(
    refundedChargeEvent({ ...buyer.ids, charge: 'ch_hook', refunded: 999, created: created + 5 }),
  )
  expect(await types()).toEqual(['subscription.cancelled', 'subscription.ended'])
})

test('records a subscription that Stripe ends immediately as cancelled and ended', async () => {
  const buyer = await app.makeBuyer()
  const created = Math.floor(Date.now() / 1000)
  await app.deliver(subscriptionEvent('created', { ...buyer.ids, created }))
  await app.services.db.query.deleteFrom('webhook_events').execute()
  const ended = { ...buyer.ids, status: 'canceled', created: created + 4, endedAt: created + 4 }
  await app.deliver(subscriptionEvent('deleted', ended))
  expect(await types()).toEqual(['subscription.cancelled', 'subscription.ended'])
})

test('records nothing for a simulated purchase', async () => {
  const buyer = await app.makeBuyer()
  await app.services.db.query.deleteFrom('webhook_events').execute()
  const created = Math.floor(Date.now() / 1000)
  const simulate = (body: object) => app.admin.send('POST', '/api/billing-webhook', { body })
  await simulate(checkoutEvent({ ...buyer.ids, created }))
  await simulate(subscriptionEvent('created', { ...buyer.ids, created }))
  await simulate(invoiceEvent('invoice.paid', { ...buyer.ids, invoice: 'in_sim', created }))
  expect(await app.subscriptionOf(buyer.id)).toMatchObject({ status: 'active' })
  const cancelled = { ...buyer.ids, cancelAtPeriodEnd: true, created: created + 2 }
  await simulate(subscriptionEvent('updated', cancelled))
  await simulate(
    subscriptionEvent('deleted', { ...buyer.ids, status: 'canceled', created: created + 3 }),
  )
  expect(await app.subscriptionOf(buyer.id)).toMatchObject({ status: 'canceled' })
  expect(await types()).toEqual([])
})

test('records a manual plan as started and paid, then cancelled, and ended at its end date', async () => {
  const { id: user_id, email } = await app.makePerson()
  await app.services.db.query.deleteFrom('webhook_events').execute()
  const plan = { user_id, tier: 'monthly', payment_method: 'cash' } as const
  const manual = { action: 'manual_update_subscription', ...plan } as const
  const run = (status: 'active' | 'canceled', rest: { amount_cents?: number; end_date?: string }) =>
    app.admin.call(runBillingAction, { body: { ...manual, status, ...rest } })
  await run('active', { amount_cents: 500, end_date: later().toISOString() })
  expect(await types()).toEqual(['subscription.paid', 'subscription.started'])
  expect((await recorded()).find(([type]) => type === 'subscription.started')![1]).toMatchObject({
    member: { id: user_id, email },
    subscription: { tier: 'monthly', status: 'active', payment_method: 'cash' },
  })
  const body = { action: 'record_payment', user_id, payment_method: 'zelle' } as const
  await app.admin.call(runBillingAction, { body: { ...body, kind: 'payment', amount_cents: 70 } })
  await app.admin.call(runBillingAction, { body: { ...body, kind: 'refund', amount_cents: 20 } })
  await app.admin.call(runBillingAction, { body: { ...body, kind: 'correction', amount_cents: 5 } })
  expect((await types()).filter((type) => type === 'subscription.paid')).toHaveLength(2)
  await app.services.db.query.deleteFrom('webhook_events').execute()
  await expireSubscriptions(app.services.db, new Date(Date.now() + 3600_000))
  expect(await types()).toEqual(['subscription.ended'])
  await run('active', {})
  await run('canceled', {})
  expect(await types()).toEqual([
    'subscription.cancelled',
    'subscription.ended',
    'subscription.ended',
    'subscription.started',
  ])
})

test('records nothing when the transaction is rolled back', async () => {
  await expect(
    transaction(app.services.db, async (trx) => {
      await trx.query.insertInto('profiles').values({ email: 'gone@velour.test' }).execute()
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect(await types()).toEqual([])
})

test('only enabled endpoints receive events, and only of their selected types', async () => {
  const { query } = app.services.db
  const { body } = await app.admin.call(createWebhookEndpoint, {
    body: { url: 'https://other.example/in', event_types: ['release.published'] },
  })
  await app.makePerson()
  const rows = await query.selectFrom('webhook_deliveries').select('endpoint_id').execute()
  expect(rows).toHaveLength(1)
  expect(rows[0]!.endpoint_id).not.toBe(body.data.id)
  await query.deleteFrom('webhook_events').execute()
  await query
    .updateTable('webhook_endpoints')
    .set({ disabled_reason: 'admin', disabled_at: new Date().toISOString() })
    .execute()
  await app.makePerson()
  expect(await types()).toEqual([])
})
