// The owner's Stripe account: the API key, and our webhook endpoint in Stripe.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { timestamp } from '../../fields/dates.ts'
import { stripeKeyLimit } from '../../rate-limit.ts'

/** The API permissions that a restricted Stripe key needs. */
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
    z.describe(
      'Where the key is set. `environment`: by STRIPE_SECRET_KEY, which takes precedence.',
    ),
  )

export const stripeWebhookStates = ['connected', 'by_hand', 'moved', 'none'] as const

const last4 = z.string().check(z.describe('The last four characters of the key.'))
const isLive = z.boolean().check(z.describe('False for a test mode key.'))
const accountName = z
  .nullable(z.string())
  .check(z.describe('Null if the key has no permission to read the account.'))
const missingRights = z
  .array(z.enum(stripeRights))
  .check(z.describe('Permissions that the service needs and the key lacks.'))

const inUse = z
  .object({
    subscriptions: z
      .number()
      .check(z.describe('Active subscriptions at this account, including paused ones.')),
    tasks: z.number().check(z.describe('Pending refunds and deletions at this account.')),
  })
  .check(z.describe('The account can be changed or removed only if both numbers are 0.'))
export type StripeInUse = z.infer<typeof inUse>

const webhook = z
  .object({
    state: z
      .enum(stripeWebhookStates)
      .check(
        z.describe(
          '`by_hand`: only a signing secret was entered. `moved`: the address of the service has changed since the endpoint was registered.',
        ),
      ),
    url: z.string().check(z.describe('The URL to which Stripe sends events.')),
    is_reachable: z
      .boolean()
      .check(z.describe('False if the address is not public, so that Stripe cannot reach it.')),
    failure: z
      .nullable(z.string())
      .check(z.describe('Why the last attempt to connect failed. Null if it succeeded.')),
    tried_at: z
      .nullable(timestamp)
      .check(z.describe('When the last attempt to connect was made. Null if never.')),
  })
  .check(z.describe('Our webhook endpoint in Stripe.'))

export const stripeConnection = z.object({
  key_source: source,
  is_key_lost: z
    .boolean()
    .check(z.describe('Whether a stored key cannot be decrypted because SECRET has changed.')),
  last4,
  is_live: isLive,
  account_name: accountName,
  account_id: z.nullable(z.string()).check(z.describe('The account id. Null if unknown.')),
  missing_rights: missingRights,
  set_at: z.nullable(timestamp).check(z.describe('Null if no key was entered here.')),
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
  account_id: z.nullable(z.string()).check(z.describe('The account id. Null if unknown.')),
  missing_rights: missingRights,
  change: z
    .enum(accountChanges)
    .check(
      z.describe(
        '`other`: a different account or mode than before, which has none of the existing prices and customers.',
      ),
    ),
  customers: z
    .number()
    .check(z.describe('Members with a Stripe customer, which a different account does not have.')),
  in_use: inUse,
})
export type StripeKeyCheck = z.infer<typeof stripeKeyCheck>

export const getStripeConnection = endpoint({
  method: 'GET',
  path: '/api/admin-stripe',
  summary: 'The Stripe connection. The key is never returned.',
  access: 'admin',
  output: stripeConnection,
})

export const checkStripeKey = endpoint({
  method: 'POST',
  path: '/api/admin-stripe/check',
  summary:
    'Check a Stripe key without storing it: its account, its mode and the permissions it lacks. Without a key in the request, the current key is checked.',
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
    'Check a Stripe key, store it and connect the webhook. It takes effect on all instances immediately. For a different account, the prices are created again and the stored customer ids are deleted.',
  access: 'admin',
  audit: { settings: ['update'] },
  needsConfirmation: true,
  tokens: 'refused',
  body: z.object({
    key,
    other_account: z
      .optional(z.boolean())
      .check(
        z.describe('Confirms that the key may belong to a different account or mode than before.'),
      ),
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
    'Remove the stored key and our webhook endpoint in Stripe. Refused while there are active subscriptions or pending operations in Stripe.',
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
    'Register or update our webhook endpoint in Stripe and store its signing secret. If this fails, the response contains the reason.',
  access: 'admin',
  audit: { settings: ['update'] },
  needsConfirmation: true,
  tokens: 'refused',
  output: stripeConnection,
  rateLimit: stripeKeyLimit,
  errors: ['stripe_not_configured', 'stripe_failed'],
})
