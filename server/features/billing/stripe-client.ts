// The Stripe client; it exists if the owner has set a secret key. Failures are thrown as `stripe_failed`; Stripe's own
// messages go to the log only.
import type { Stripe } from 'stripe'
import type { Config } from '../../platform/config/config.ts'
import { AppError } from '../../platform/operations/app-error.ts'

const timeoutMs = 15_000

/** Null if no key is set; nothing can be bought then. */
export async function createStripe(
  config: Pick<Config, 'stripeSecretKey' | 'stripeApiUrl'>,
): Promise<Stripe | null> {
  if (config.stripeSecretKey === null) return null
  const { Stripe } = await loadStripe()
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
    if (isStripeError(cause)) throw new AppError('stripe_failed', { cause })
    throw cause
  }
}

/** Loaded on first use: the library takes 15 MB, and most services never sell through Stripe. */
export const loadStripe = () => import('stripe')

/** Checks a property that all errors of the library have, so that the library need not be loaded. */
export function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && /^Stripe\w*Error$/.test(String(Reflect.get(error, 'type')))
}

/** Stripe's words if another try would be refused too. */
export function finalRefusalOf(cause: unknown): string | null {
  if (!isStripeError(cause)) return null
  const { statusCode = 500, code = '' } = cause
  if (![400, 402, 404].includes(statusCode) || code.startsWith('idempotency')) return null
  return cause.message.slice(0, 1000) || 'Stripe gave no reason.'
}

/** Null if Stripe has no such object: it was deleted, or belongs to another account. */
export async function nullIfMissing<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request
  } catch (error) {
    if (isStripeError(error) && error.code === 'resource_missing') return null
    throw error
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
