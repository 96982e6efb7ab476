// Handles a Stripe key of another account, or of another mode (test or live) of the same account. Our prices, customers
// and payment pages do not exist there. The key is rejected while subscriptions run in the old account. Otherwise the
// ids from the old account are cleared and the prices are created again.
import type { Stripe } from 'stripe'
import type { accountChanges, StripeInUse } from '#contract/admin/money/admin-stripe.ts'
import { changedBy } from '../../../platform/audit/changed-meanwhile.ts'
import type { Handle, Transaction } from '../../../platform/db/database.ts'
import type { PriceSetRow, StripeConnectionRow } from '../../../platform/db/tables.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import type { Log } from '../../../platform/process/log.ts'
import { isStripeError, nullIfMissing } from '../stripe-client.ts'
import { runningStatuses } from '../subscription-query.ts'
import { isDenied, type KeyFacts } from './check-key.ts'

type AccountChange = (typeof accountChanges)[number]

/**
 * Returns whether a new key belongs to the same account as the current one. If the id of one of the accounts is
 * unknown, requests our subscription, prices and customer with the new key.
 */
export async function findAccountChange(
  handle: Handle,
  client: Stripe,
  facts: KeyFacts,
  before: StripeConnectionRow,
): Promise<AccountChange> {
  if (before.account_id !== null && facts.account_id !== null) {
    const isSame = before.account_id === facts.account_id && before.is_live === facts.is_live
    return isSame ? 'same' : 'other'
  }
  const probes = await listProbes(handle)
  let isMissing = false
  for (const probe of probes) {
    const answer = await sendProbe(probe(client))
    if (answer === 'found') return 'same'
    if (answer === 'missing') isMissing = true
  }
  return isMissing ? 'other' : 'first'
}

type Probe = (client: Stripe) => Promise<unknown>

async function listProbes(handle: Handle): Promise<Probe[]> {
  const subscription = await handle.query
    .selectFrom('stripe_subscriptions')
    .select('id')
    .where('event_is_simulated', '=', false)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const prices = await handle.query
    .selectFrom('settings')
    .select(['stripe_price_monthly', 'stripe_price_yearly'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  const customer = await handle.query
    .selectFrom('subscriptions')
    .select('stripe_customer_id as id')
    .where('stripe_customer_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return [
    ...(subscription ? [(client: Stripe) => client.subscriptions.retrieve(subscription.id)] : []),
    ...Object.values(prices)
      .filter((id) => id !== '')
      .map((id) => (client: Stripe) => client.prices.retrieve(id)),
    ...(customer?.id ? [(client: Stripe) => client.customers.retrieve(customer.id ?? '')] : []),
  ]
}

async function sendProbe(request: Promise<unknown>): Promise<'found' | 'missing' | 'unknown'> {
  try {
    return (await nullIfMissing(request)) === null ? 'missing' : 'found'
  } catch (cause) {
    if (isDenied(cause)) return 'unknown'
    if (isStripeError(cause)) throw new AppError('stripe_failed', { cause })
    throw cause
  }
}

export async function countInUse(handle: Handle): Promise<StripeInUse> {
  const { subscriptions, refunds, closures, tasks } = await handle.query
    .selectNoFrom((eb) => [
      eb
        .selectFrom('stripe_subscriptions')
        .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count'))
        .where('status', 'in', runningStatuses)
        .where('event_is_simulated', '=', false)
        .$asScalar()
        .as('subscriptions'),
      eb
        .selectFrom('refund_requests')
        .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count'))
        .where('state', '=', 'waiting')
        .$asScalar()
        .as('refunds'),
      eb
        .selectFrom('stripe_closures')
        .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count'))
        .$asScalar()
        .as('closures'),
      eb
        .selectFrom('stripe_tasks')
        .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count'))
        .$asScalar()
        .as('tasks'),
    ])
    .executeTakeFirstOrThrow()
  return {
    subscriptions: subscriptions ?? 0,
    tasks: (refunds ?? 0) + (closures ?? 0) + (tasks ?? 0),
  }
}

export async function rejectIfInUse(handle: Handle): Promise<void> {
  const { subscriptions, tasks } = await countInUse(handle)
  if (subscriptions + tasks > 0) throw new AppError('stripe_in_use')
}

/**
 * Clears all ids that exist only in the old account. Card fingerprints and past payments are kept. Returns the price
 * set to create in the new account, or null if Premium was not sold in the old one.
 */
export async function clearAccount(
  ctx: MemberContext,
  trx: Transaction,
): Promise<PriceSetRow | null> {
  await trx.query
    .updateTable('subscriptions')
    .set({ stripe_customer_id: null, invoice_details_hash: null })
    .where('stripe_customer_id', 'is not', null)
    .execute()
  await trx.query.deleteFrom('stripe_checkouts').execute()
  await trx.query
    .updateTable('price_sets')
    .set({ state: 'replaced' })
    .where('state', 'in', ['making', 'made'])
    .execute()
  const settings = await trx.query
    .selectFrom('settings')
    .selectAll()
    .where('id', '=', 1)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await trx.query
    .updateTable('settings')
    .set({
      stripe_price_monthly: '',
      stripe_price_yearly: '',
      stripe_webhook_secret: '',
      ...changedBy(ctx),
    })
    .where('id', '=', 1)
    .execute()
  const { currency, pricing_monthly_cents, pricing_yearly_cents } = settings
  const wasSelling = settings.stripe_price_monthly !== '' || settings.stripe_price_yearly !== ''
  if (!wasSelling || pricing_monthly_cents <= 0 || pricing_yearly_cents <= 0) return null
  return trx.query
    .insertInto('price_sets')
    .values({
      currency,
      monthly_cents: pricing_monthly_cents,
      yearly_cents: pricing_yearly_cents,
      effective_at: null,
      requested_by: ctx.actor.user_id,
      created_at: ctx.now().toISOString(),
      try_after: ctx.now().toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Maximum number of open payment pages to close in the old account. */
const maxPages = 1000

/**
 * Closes our payment pages in the old account and deletes our webhook endpoint there. Errors of Stripe are only logged,
 * because the old key may have been revoked.
 */
export async function leaveAccount(
  client: Stripe,
  { publicUrl, webhook_id, log }: { publicUrl: string; webhook_id: string | null; log: Log },
): Promise<void> {
  try {
    const open = await client.checkout.sessions
      .list({ status: 'open', limit: 100 })
      .autoPagingToArray({ limit: maxPages })
    for (const { id, success_url } of open) {
      if (success_url?.startsWith(`${publicUrl}/`)) await client.checkout.sessions.expire(id)
    }
    if (webhook_id !== null) await nullIfMissing(client.webhookEndpoints.del(webhook_id))
  } catch (error) {
    if (!isStripeError(error)) throw error
    log.warn({ err: error }, 'The old Stripe account could not be cleaned up')
  }
}
