// The line to Stripe: there is one when the owner has set a secret key. What goes wrong on it leaves
// as `stripe_failed`, with Stripe's own words in the log only.
import { Stripe } from 'stripe'
import type { Config } from '../config.ts'
import { AppError } from '../http/app-error.ts'

const timeoutMs = 15_000

/** Null: no key is set, and nothing can be bought. */
export function createStripe(
  config: Pick<Config, 'stripeSecretKey' | 'stripeApiUrl'>,
): Stripe | null {
  if (config.stripeSecretKey === null) return null
  return new Stripe(config.stripeSecretKey, {
    ...(config.stripeApiUrl !== null && addressOf(new URL(config.stripeApiUrl))),
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
  })
}

/** Throws `stripe_not_configured` without a key, `stripe_failed` when Stripe refuses or stays silent. */
export async function askStripe<T>(
  stripe: Stripe | null,
  ask: (stripe: Stripe) => Promise<T>,
): Promise<T> {
  if (!stripe) throw new AppError('stripe_not_configured')
  try {
    return await ask(stripe)
  } catch (cause) {
    if (cause instanceof Stripe.errors.StripeError) throw new AppError('stripe_failed', { cause })
    throw cause
  }
}

function addressOf({ hostname, port, protocol }: URL) {
  const isHttp = protocol === 'http:'
  return {
    host: hostname,
    port: port || (isHttp ? '80' : '443'),
    protocol: isHttp ? ('http' as const) : ('https' as const),
  }
}
