// The owner's Stripe account: the key, and our webhook endpoint there.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { timestamp } from '../../fields/dates.ts'
import { stripeKeyLimit } from '../../rate-limit.ts'

/** What the service does at Stripe. A restricted key needs a right for each. */
export const stripeRights = [
  'account',
  'checkout_sessions',
  'customers',
  'subscriptions',
  'billing_portal',
  'invoices',
  'charges',
  'refunds',
  'products',
  'prices',
  'coupons',
  'promotion_codes',
  'webhook_endpoints',
] as const
export type StripeRight = (typeof stripeRights)[number]

export const stripeKeyMaxLength = 300

const source = z
  .enum(['environment', 'saved', 'none'])
  .check(
    z.describe('Where the key is set. `environment`: by STRIPE_SECRET_KEY, which comes first.'),
  )

export const stripeWebhookStates = ['connected', 'by_hand', 'moved', 'none'] as const

const last4 = z.string().check(z.describe('The last four characters of the key.'))
const isLive = z.boolean().check(z.describe('False: a key of test mode.'))
const accountName = z
  .nullable(z.string())
  .check(z.describe('Null: unknown, because the key may not read the account.'))
const missingRights = z
  .array(z.enum(stripeRights))
  .check(z.describe('What the service needs and the key may not do.'))

const inUse = z
  .object({
    subscriptions: z
      .number()
      .check(z.describe('Subscriptions that run at this account, paused ones too.')),
    tasks: z
      .number()
      .check(z.describe('Refunds and deletions that still have to be made at this account.')),
  })
  .check(z.describe('While one of these is not 0, the account cannot be changed or removed.'))
export type StripeInUse = z.infer<typeof inUse>

const webhook = z
  .object({
    state: z
      .enum(stripeWebhookStates)
      .check(
        z.describe(
          '`by_hand`: only a signing secret was entered. `moved`: the address of the service has changed since.',
        ),
      ),
    url: z.string().check(z.describe('Where Stripe has to send its events.')),
    is_reachable: z
      .boolean()
      .check(z.describe('False: the address is not public, so Stripe cannot send anything to it.')),
    failure: z
      .nullable(z.string())
      .check(z.describe('Why the last try to connect failed. Null: it did not.')),
    tried_at: z.nullable(timestamp).check(z.describe('Null: never.')),
  })
  .check(z.describe('Our endpoint at Stripe, which events are sent to.'))

export const stripeConnection = z.object({
  key_source: source,
  is_key_lost: z
    .boolean()
    .check(z.describe('A key is stored that cannot be decrypted: SECRET was changed.')),
  last4,
  is_live: isLive,
  account_name: accountName,
  account_id: z.nullable(z.string()).check(z.describe('The id of the account. Null: unknown.')),
  missing_rights: missingRights,
  set_at: z.nullable(timestamp).check(z.describe('Null: no key was entered here.')),
  in_use: inUse,
  webhook,
})
export type StripeConnection = z.infer<typeof stripeConnection>

const key = z
  .string()
  .check(z.trim(), z.maxLength(stripeKeyMaxLength), z.regex(/^[sr]k_(?:test|live)_[A-Za-z0-9_]+$/))
  .register(z.globalRegistry, {
    description: 'A secret key (sk_) or a restricted key (rk_).',
    examples: ['sk_test_12345'],
  })

export const accountChanges = ['first', 'same', 'other'] as const

export const stripeKeyCheck = z.object({
  last4,
  is_live: isLive,
  account_name: accountName,
  account_id: z.nullable(z.string()).check(z.describe('The id of the account. Null: unknown.')),
  missing_rights: missingRights,
  change: z
    .enum(accountChanges)
    .check(
      z.describe(
        '`other`: another account or mode than before, where prices and customers do not exist.',
      ),
    ),
  customers: z
    .number()
    .check(z.describe('Members with a customer at Stripe, which another account does not have.')),
  in_use: inUse,
})
export type StripeKeyCheck = z.infer<typeof stripeKeyCheck>

export const getStripeConnection = endpoint({
  method: 'GET',
  path: '/api/admin-stripe',
  summary: 'The connection to Stripe. The key is never returned.',
  access: 'admin',
  output: stripeConnection,
})

export const checkStripeKey = endpoint({
  method: 'POST',
  path: '/api/admin-stripe/check',
  summary:
    'Try a key at Stripe without storing it: its account, its mode, and what it may not do. Without a key, the one that is set.',
  access: 'admin',
  audit: 'reads',
  needsConfirmation: true,
  tokens: 'refused',
  body: z.object({ key: z.optional(key) }),
  output: stripeKeyCheck,
  rateLimit: stripeKeyLimit,
  errors: ['stripe_not_configured', 'stripe_key_refused', 'stripe_failed'],
})

export const setStripeKey = endpoint({
  method: 'PUT',
  path: '/api/admin-stripe/key',
  summary:
    'Check a key at Stripe, store it, and connect the webhook. In effect on every instance at once. For another account, the prices are created again and the ids of customers are forgotten.',
  access: 'admin',
  audit: { settings: ['update'] },
  needsConfirmation: true,
  tokens: 'refused',
  body: z.object({
    key,
    other_account: z
      .optional(z.boolean())
      .check(z.describe('True: the key may belong to another account or mode than before.')),
  }),
  output: stripeConnection,
  rateLimit: stripeKeyLimit,
  errors: [
    'set_in_environment',
    'stripe_key_refused',
    'stripe_other_account',
    'stripe_in_use',
    'stripe_failed',
  ],
})

export const removeStripeKey = endpoint({
  method: 'DELETE',
  path: '/api/admin-stripe/key',
  summary:
    'Remove the stored key, and our webhook endpoint at Stripe. Refused while subscriptions run or something has to be done at Stripe.',
  access: 'admin',
  audit: { settings: ['update'] },
  needsConfirmation: true,
  tokens: 'refused',
  output: stripeConnection,
  errors: ['set_in_environment', 'stripe_in_use'],
})

export const connectStripeWebhook = endpoint({
  method: 'POST',
  path: '/api/admin-stripe/webhook',
  summary:
    'Register our webhook endpoint at Stripe, or update it, and store its signing secret. Why it failed is in the response.',
  access: 'admin',
  audit: { settings: ['update'] },
  needsConfirmation: true,
  tokens: 'refused',
  output: stripeConnection,
  rateLimit: stripeKeyLimit,
  errors: ['stripe_not_configured', 'stripe_failed'],
})
