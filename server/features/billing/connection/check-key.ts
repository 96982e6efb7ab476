// Checks a key with requests to Stripe: which account and mode it belongs to, and which permissions a restricted key
// lacks. Creates nothing at Stripe.
import type { Stripe } from 'stripe'
import { stripeRights, type StripeRight } from '#contract/admin/money/admin-stripe.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import { isStripeError } from '../stripe-client.ts'

export interface KeyFacts {
  last4: string
  is_live: boolean
  account_id: string | null
  account_name: string | null
  missing_rights: StripeRight[]
}

/** Throws `stripe_key_refused` if Stripe rejects the key, and `stripe_failed` if it does not respond. */
export async function checkKey(client: Stripe, key: string): Promise<KeyFacts> {
  const account = await readAccount(client)
  const others = isRestricted(key) ? await findMissingRights(client) : []
  return {
    last4: key.slice(-4),
    is_live: key.split('_')[1] === 'live',
    account_id: account?.id ?? null,
    account_name: account ? nameOf(account) : null,
    missing_rights: stripeRights.filter((right) =>
      right === 'account' ? account === null : others.includes(right),
    ),
  }
}

const isRestricted = (key: string) => key.startsWith('rk_')

function nameOf({ id, settings, business_profile, email }: Stripe.Account): string {
  const name = settings?.dashboard?.display_name || business_profile?.name || email || id
  return name.slice(0, 200)
}

/** Returns null if the key is restricted and lacks the permission to read the account. */
async function readAccount(client: Stripe): Promise<Stripe.Account | null> {
  try {
    return await client.accounts.retrieveCurrent()
  } catch (error) {
    if (isDenied(error)) return null
    throw toAppError(error)
  }
}

const nothing = 'velour_key_check'

/**
 * One request per permission, to test whether the key has it. The requests name objects that do not exist: Stripe
 * checks the permission first, then finds nothing to change.
 */
const probes: Record<Exclude<StripeRight, 'account'>, (client: Stripe) => Promise<unknown>> = {
  checkout_sessions: (client) => client.checkout.sessions.expire(`cs_test_${nothing}`),
  customers: (client) => client.customers.update(`cus_${nothing}`, { metadata: {} }),
  subscriptions: (client) => client.subscriptions.update(`sub_${nothing}`, { metadata: {} }),
  billing_portal: (client) => client.billingPortal.sessions.create({ customer: `cus_${nothing}` }),
  invoices: (client) => client.invoices.update(`in_${nothing}`, { metadata: {} }),
  charges: (client) => client.charges.retrieve(`ch_${nothing}`),
  refunds: (client) => client.refunds.update(`re_${nothing}`, { metadata: {} }),
  products: (client) => client.products.update(`prod_${nothing}`, { metadata: {} }),
  prices: (client) => client.prices.update(`price_${nothing}`, { metadata: {} }),
  coupons: (client) => client.coupons.update(`coupon_${nothing}`, { metadata: {} }),
  promotion_codes: (client) => client.promotionCodes.update(`promo_${nothing}`, { metadata: {} }),
  webhook_endpoints: (client) => client.webhookEndpoints.update(`we_${nothing}`, { metadata: {} }),
}

async function findMissingRights(client: Stripe): Promise<string[]> {
  const answers = Object.entries(probes).map(async ([right, probe]) => {
    try {
      await probe(client)
      return []
    } catch (error) {
      if (isDenied(error)) return [right]
      if (isStripeError(error) && [400, 404].includes(error.statusCode ?? 0)) return []
      throw toAppError(error)
    }
  })
  return (await Promise.all(answers)).flat()
}

/** Whether Stripe accepted the key but denied the request for lack of a permission. */
export function isDenied(error: unknown): boolean {
  return isStripeError(error) && error.statusCode === 403
}

function toAppError(cause: unknown): unknown {
  if (!isStripeError(cause)) return cause
  return new AppError(cause.statusCode === 401 ? 'stripe_key_refused' : 'stripe_failed', { cause })
}
