// Carries out requested refunds at Stripe, and retries until Stripe responds.
import type { Stripe } from 'stripe'
import type { RefundFailure } from '#contract/refunds.ts'
import { transaction, type Database, type Handle } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import { callStripe, isStripeError, type StripeAccess } from '../stripe-client.ts'
import { recordFailedRefund } from '../stripe-refunds.ts'
import { nextAttemptAt } from '../../../platform/jobs/next-attempt.ts'

const batchSize = 20

type Request = Awaited<ReturnType<typeof claimDue>>[number]

/**
 * Makes the due refunds at Stripe and returns how many succeeded. The others are retried later, unless Stripe rejected
 * them permanently.
 */
export async function sweepRefundRequests(
  { db, stripe }: { db: Database; stripe: StripeAccess },
  now: Date,
): Promise<number> {
  if (!stripe.isSetUp()) return 0
  let done = 0
  for (const request of await claimDue(db, now)) {
    try {
      const { id } = await callStripe(stripe, (client) => refund(client, request))
      await saveDone(db, request, id, now)
      done++
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      db.log.warn({ err: error, refund_request: request.id }, 'A refund at Stripe failed')
      const failure = findRefundFailure(error.cause)
      if (failure !== null) await saveRefused(db, request.id, failure, now)
    }
  }
  return done
}

/** Returns the due requests. Schedules their next attempt first, as `claimDue` of stripe-tasks.ts does. */
function claimDue(db: Database, now: Date) {
  return transaction(db, async (trx) => {
    const due = await trx.query
      .selectFrom('refund_requests as r')
      .innerJoin('payments as p', 'p.id', 'r.payment_id')
      .select([
        'r.id',
        'r.amount_cents',
        'r.reason',
        'r.tries',
        'p.stripe_invoice_id',
        'p.stripe_payment_intent',
      ])
      .where('r.state', '=', 'waiting')
      .where('r.try_after', '<=', now.toISOString())
      .orderBy('r.try_after')
      .limit(batchSize)
      .forUpdate('r')
      .skipLocked()
      .execute()
    for (const { id, tries } of due) {
      const try_after = nextAttemptAt(now, tries)
      await trx.query
        .updateTable('refund_requests')
        .set({ tries: tries + 1, try_after })
        .where('id', '=', id)
        .execute()
    }
    return due
  })
}

class NoPayment extends Error {}

async function refund(client: Stripe, request: Request): Promise<{ id: string }> {
  const payment_intent = await findIntent(client, request)
  if (request.tries > 0) {
    // Look for a refund of an earlier attempt whose response was lost, because Stripe discards an idempotency key after
    // a day.
    const { data } = await client.refunds.list({ payment_intent, limit: 100 })
    const earlier = data.find(({ metadata }) => metadata?.refund_request === request.id)
    if (earlier) return earlier
  }
  return client.refunds.create(
    {
      payment_intent,
      amount: request.amount_cents,
      reason: request.reason,
      metadata: { refund_request: request.id },
    },
    { idempotencyKey: `refund-${request.id}` },
  )
}

async function findIntent(client: Stripe, request: Request): Promise<string> {
  if (request.stripe_payment_intent !== null) return request.stripe_payment_intent
  const { payments } = await client.invoices.retrieve(request.stripe_invoice_id ?? '', {
    expand: ['payments'],
  })
  const paid = payments?.data.find(({ status }) => status === 'paid')
  const intent = paid?.payment.payment_intent
  if (!intent) throw new AppError('stripe_failed', { cause: new NoPayment('No paid payment') })
  return typeof intent === 'string' ? intent : intent.id
}

const failures: Record<string, RefundFailure> = {
  charge_already_refunded: 'already_refunded',
  charge_disputed: 'disputed',
  resource_missing: 'not_found',
}

/** Returns why Stripe rejected the refund permanently. Null if a retry may succeed. */
export function findRefundFailure(cause: unknown): RefundFailure | null {
  if (cause instanceof NoPayment) return 'not_found'
  if (!isStripeError(cause)) return null
  const { code = '', statusCode = 500 } = cause
  // These errors are temporary: a balance that is too low, and an idempotency key that another request is using.
  const isPermanent = [400, 402, 404].includes(statusCode) && !/balance|idempotency/.test(code)
  return isPermanent ? (failures[code] ?? 'other') : null
}

/** Marks the request as done, or as rejected if an event has already reported that the refund failed later. */
function saveDone(db: Database, { id }: Request, refundId: string, now: Date): Promise<void> {
  return transaction(db, async (trx) => {
    await trx.query
      .updateTable('refund_requests')
      .set({ state: 'done', stripe_refund_id: refundId, settled_at: now.toISOString() })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .execute()
    const failed = await trx.query
      .selectFrom('stripe_refunds')
      .select('id')
      .where('id', '=', refundId)
      .where('is_failed', '=', true)
      .where('is_simulated', '=', false)
      .executeTakeFirst()
    if (failed) await recordFailedRefund(trx, refundId)
  })
}

/** Records that Stripe rejected the refund of a second subscription, which no admin requested. */
export async function saveRefusedDuplicate(
  handle: Handle,
  invoice: { invoice_id: string; user_id: string | null; amount_cents: number; currency: string },
  failure: RefundFailure,
): Promise<void> {
  const { invoice_id, ...paid } = invoice
  const payment = await handle.query
    .selectFrom('payments')
    .select('id')
    .where('stripe_invoice_id', '=', invoice_id)
    .where('is_simulated', '=', false)
    .executeTakeFirst()
  await handle.query
    .insertInto('refund_requests')
    .values({
      ...paid,
      payment_id: payment?.id ?? null,
      reason: 'duplicate',
      state: 'refused',
      failure,
      settled_at: new Date().toISOString(),
    })
    .execute()
}

async function saveRefused(
  handle: Handle,
  id: string,
  failure: RefundFailure,
  now: Date,
): Promise<void> {
  await handle.query
    .updateTable('refund_requests')
    .set({ state: 'refused', failure, settled_at: now.toISOString() })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}
