// Subscriptions as admins run them: one address, the act named in the body.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { pageQuery, pagination } from './pagination.ts'
import { paymentMethods, subscriptionStatuses, tiers } from './plans.ts'

export const subscription = z.object({
  user_id: z.uuid(),
  email: z.string(),
  tier: z.enum(tiers),
  status: z.enum(subscriptionStatuses),
  payment_method: z.nullable(z.enum([...paymentMethods, 'stripe'])),
  is_manual: z.boolean(),
  start_date: z.nullable(z.string()),
  renewal_date: z.nullable(z.string()),
  notes: z.nullable(z.string()),
  stripe_customer_id: z.nullable(z.string()),
})
export type Subscription = z.infer<typeof subscription>

export const subscriptionSummary = z.object({
  total_users: z.number(),
  active_subscribers: z.number(),
  premium_users: z.number(),
})

/** Upper and lower case alike: the forms send 'Active', the database keeps 'active'. */
const lowercased = z.string().check(z.trim(), z.toLowerCase())
const status = z.pipe(lowercased, z.enum(subscriptionStatuses))
const tier = z.pipe(lowercased, z.enum(tiers))
const payment_method = z.pipe(lowercased, z.enum(paymentMethods))
const user_id = z.uuid('User ID is required')
const date = z.union([z.iso.date(), z.iso.datetime({ offset: true })])
const note = z.nullable(z.string().check(z.trim(), z.maxLength(2000)))

const manualBody = z.object({
  action: z.literal('manual_update_subscription'),
  user_id,
  tier,
  status,
  payment_method,
  notes: z.optional(note),
  start_date: z.optional(date),
  end_date: z.optional(date),
})

export const runBillingAction = endpoint({
  method: 'POST',
  path: '/api/admin-billing',
  summary:
    'list_subscriptions, manual_update_subscription, update_subscription, update_payment_method, update_note or get_stripe_links.',
  access: 'admin',
  body: z.discriminatedUnion('action', [
    z.object({
      action: z.literal('list_subscriptions'),
      q: z.optional(z.string().check(z.maxLength(200))),
      ...pageQuery(50),
    }),
    manualBody,
    z.object({ action: z.literal('update_subscription'), user_id, tier, status }),
    z.object({ action: z.literal('update_payment_method'), user_id, payment_method }),
    z.object({ action: z.literal('update_note'), user_id, note }),
    z.object({ action: z.literal('get_stripe_links'), user_id }),
  ]),
  /** list answers with subscriptions, summary and pagination; links with links; changes with the row. */
  output: z.object({
    subscriptions: z.optional(z.array(subscription)),
    summary: z.optional(subscriptionSummary),
    pagination: z.optional(pagination),
    subscription: z.optional(subscription),
    links: z.optional(z.object({ customer_portal: z.string() })),
  }),
  errors: [
    'user_not_found',
    'stripe_not_configured',
    'stripe_failed',
    'invalid_period',
    'not_manual',
  ],
})
