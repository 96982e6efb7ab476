// Sends requests to Stripe with the current key. Failures are thrown as `stripe_failed`; Stripe's own messages are only
// logged.
import type { Stripe } from 'stripe'
import type { Config } from '../../platform/config/config.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { perObject } from '../../platform/process/per-object.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { resolveStripeKey } from '../settings/stripe-connection.ts'

const timeoutMs = 15_000

/** The key can change at any time, so store a reference to this object, never to a client that it returned. */
export interface StripeAccess {
  /** Whether a key is set. If not, nothing can be sold. */
  isSetUp: () => boolean
  /** Returns a client with the current key, or null if no key is set. A client keeps its key when the key changes. */
  client: () => Promise<Stripe | null>
  /** Returns a number that increases when the Stripe account changes. See `requireAccount`. */
  accountNumber: () => number
}

export const noStripe: StripeAccess = {
  isSetUp: () => false,
  client: async () => null,
  accountNumber: () => 0,
}

type ClientConfig = Pick<Config, 'stripeApiUrl'>

export function createStripeAccess(
  config: ClientConfig & Pick<Config, 'stripeSecretKey'>,
  settings: Pick<SettingsCache, 'stripe'>,
  secretBox: Pick<SecretBox, 'open'>,
): StripeAccess {
  const keyOfRow = perObject((row: ReturnType<typeof settings.stripe>) =>
    resolveStripeKey(config, row, secretBox),
  )
  const key = () => keyOfRow(settings.stripe())
  let last: { key: string; client: Promise<Stripe> } | null = null
  return {
    isSetUp: () => key() !== null,
    async client() {
      const current = key()
      if (current === null) return null
      // The settings are reloaded often, usually with the same key, so create a client only for a new key.
      if (last?.key !== current) last = { key: current, client: createClient(config, current) }
      return last.client
    },
    accountNumber: () => settings.stripe().account_number,
  }
}

/** Creates a client for a key, which need not be stored. */
export async function createClient(
  { stripeApiUrl }: ClientConfig,
  key: string,
  options: { maxNetworkRetries?: number } = {},
): Promise<Stripe> {
  const { Stripe } = await loadStripe()
  return new Stripe(key, {
    ...(stripeApiUrl !== null && addressOf(new URL(stripeApiUrl))),
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    ...options,
  })
}

/**
 * Returns an access that always uses the current key, so that related requests use the same key even if an admin
 * changes it.
 */
export async function withFixedKey(stripe: StripeAccess): Promise<StripeAccess> {
  const number = stripe.accountNumber()
  const client = await stripe.client()
  return { isSetUp: () => client !== null, client: async () => client, accountNumber: () => number }
}

/**
 * Throws `stripe_failed` if the Stripe account is no longer the one with this number, so that no id from the old
 * account is stored.
 */
export async function requireAccount(trx: Transaction, accountNumber: number): Promise<void> {
  const row = await trx.query
    .selectFrom('stripe_connection')
    .select('account_number')
    .where('id', '=', 1)
    .forShare()
    .executeTakeFirstOrThrow()
  if (row.account_number !== accountNumber) throw new AppError('stripe_failed')
}

/**
 * Calls `ask` with the current client and returns the result. Throws `stripe_not_configured` if no key is set, and
 * `stripe_failed` if Stripe returns an error or does not respond.
 */
export async function callStripe<T>(
  stripe: StripeAccess,
  ask: (stripe: Stripe) => Promise<T>,
): Promise<T> {
  const client = await stripe.client()
  if (!client) throw new AppError('stripe_not_configured')
  try {
    return await ask(client)
  } catch (cause) {
    if (isStripeError(cause)) throw new AppError('stripe_failed', { cause })
    throw cause
  }
}

/** Loads the library on first use: it takes 15 MB, and most installations never sell through Stripe. */
export const loadStripe = () => import('stripe')

/** Recognizes errors by a property that all errors of the library have, which avoids loading the library. */
export function isStripeError(error: unknown): error is Stripe.errors.StripeError {
  return error instanceof Error && /^Stripe\w*Error$/.test(String(Reflect.get(error, 'type')))
}

/** Returns Stripe's error message if a retry would fail too, or null if a retry may succeed. */
export function readPermanentError(cause: unknown): string | null {
  if (!isStripeError(cause)) return null
  const { statusCode = 500, code = '' } = cause
  if (![400, 402, 404].includes(statusCode) || code.startsWith('idempotency')) return null
  return cause.message.slice(0, 1000) || 'Stripe gave no reason.'
}

/**
 * Returns the result of a request to Stripe, or null if the object does not exist there or belongs to another account.
 */
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
