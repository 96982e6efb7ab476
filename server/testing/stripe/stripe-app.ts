// The whole server with a fake Stripe, prices and a webhook secret, to test Stripe's events and our requests to its
// API.
import { updateSettings } from '#contract/admin/admin-settings.ts'
import { runBillingAction, type Subscription } from '#contract/admin/admin-billing.ts'
import { startFakeStripe, type FakeStripe } from './fake-stripe.ts'
import { signEvent } from './send-event.ts'
import { sellingSettings } from './stripe-payloads.ts'
import { createTestApp, type TestResponse, type Person, type TestApp } from '../test-app.ts'

export const webhookSecret = 'whsec_of_the_tests'

export interface Buyer {
  id: string
  ids: { subscription: string; customer: string; userId: string }
}

export interface StripeApp extends TestApp {
  stripe: FakeStripe
  admin: Person
  /** Sends an event with its signature to the webhook, as Stripe does. */
  deliver: (event: object) => Promise<TestResponse>
  /** Creates a person who has bought nothing. Also returns the ids that Stripe will give to their purchase. */
  makeBuyer: () => Promise<Buyer>
  subscriptionOf: (userId: string) => Promise<Subscription | undefined>
  /** Returns the kind and cents of each of a person's ledger entries. */
  ledgerOf: (userId: string) => Promise<[string, number][]>
}

/** Creates the app. Call it in `beforeAll`, and `close()` in `afterAll`. */
export async function createStripeApp(options: { now?: () => Date } = {}): Promise<StripeApp> {
  const { now = () => new Date() } = options
  const stripe = await startFakeStripe(now)
  const app = await createTestApp(
    { stripeSecretKey: 'sk_test_123', stripeApiUrl: stripe.url },
    options,
  )
  const admin = await app.makePerson({ role: 'admin' })
  await admin.call(updateSettings, {
    body: {
      action: 'update',
      settings: sellingSettings(webhookSecret),
    },
  })
  let buyers = 0
  return {
    ...app,
    get app() {
      return app.app
    },
    get services() {
      return app.services
    },
    stripe,
    admin,
    deliver: (event) => {
      const payload = JSON.stringify(event)
      const signature = signEvent(payload, webhookSecret, now())
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      return app.nobody.send('POST', '/api/billing-webhook', { body: payload, headers })
    },
    async makeBuyer() {
      const number = ++buyers
      const { id } = await app.services.db.query
        .insertInto('profiles')
        .values({ email: `buyer-${number}@velour.test` })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, ids: { subscription: `sub_${number}`, customer: `cus_${number}`, userId: id } }
    },
    async subscriptionOf(userId) {
      const body = { action: 'list_subscriptions', page_size: 200 } as const
      const response = await admin.call(runBillingAction, { body })
      return response.body.subscriptions?.find(({ user_id }) => user_id === userId)
    },
    async ledgerOf(userId) {
      const rows = await app.services.db.query
        .selectFrom('payments')
        .select(['kind', 'amount_cents'])
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute()
      return rows.map(({ kind, amount_cents }) => [kind, amount_cents])
    },
    async close() {
      await app.close()
      await stripe.close()
    },
  }
}
