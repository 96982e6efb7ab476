// Check of `npm run doctor` for the key of the Stripe account.
import { sql } from 'kysely'
import { AppError } from '../../platform/operations/app-error.ts'
import { checkKey } from '../billing/connection/check-key.ts'
import { createClient } from '../billing/stripe-client.ts'
import { readStripeConnection, resolveStripeKey } from '../settings/stripe-connection.ts'
import { note, ok, problem, type CheckContext, type Finding } from './finding.ts'

/** Null if no Stripe key is set. */
export async function checkStripe(context: CheckContext): Promise<Finding | null> {
  const key = context.config.stripeSecretKey ?? (await findSavedKey(context))
  if (key === null) return null
  try {
    const client = await createClient(context.config, key, { maxNetworkRetries: 0 })
    const { account_name, is_live, last4, missing_rights } = await checkKey(client, key)
    const what = `the key ending in ${last4} gives access to ${account_name ?? 'an account'}, ${is_live ? 'live' : 'test'} mode`
    if (missing_rights.length === 0) return ok(what)
    return note(`${what}, but lacks permissions: System Settings → Stripe lists them.`)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'stripe_key_refused') {
      return problem('Stripe rejects the key: enter another one in System Settings → Stripe.')
    }
    return problem('Stripe does not answer: check that this machine can reach api.stripe.com.')
  }
}

/** The Stripe key that was entered in the back office. Null if there is none, or if it cannot be decrypted yet. */
async function findSavedKey({ config, db, secretBox }: CheckContext): Promise<string | null> {
  if (!db || !secretBox) return null
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('stripe_connection') is not null as exists`.execute(db.query)
  if (!rows[0]?.exists) return null
  return resolveStripeKey(config, await readStripeConnection(db), secretBox)
}
