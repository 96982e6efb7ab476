// The Stripe client; it exists if the owner has set a secret key. Failures are thrown as `stripe_failed`; Stripe's own
// messages go to the log only.
import { Stripe } from 'stripe'
import type { Config } from '../../platform/config/config.ts'
import { AppError } from '../../platform/operations/app-error.ts'

const timeoutMs = 15_000

/** Null if no key is set; nothing can be bought then. */
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

/** Throws `stripe_not_configured` without a key, and `stripe_failed` when Stripe refuses or does not respond. */
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
