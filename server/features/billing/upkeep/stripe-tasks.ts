// Pending tasks for subscriptions at Stripe. A task is queued in the transaction that causes it, and retried until
// Stripe succeeds.
import type { Stripe } from 'stripe'
import type { RefundFailure } from '#contract/refunds.ts'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import { transaction, type Database, type Handle } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import {
  findRefundFailure,
  saveRefusedDuplicate,
  sweepRefundRequests,
} from '../refunds/carry-out-refunds.ts'
import { findDuplicateSubscriptions } from '../second-subscription.ts'
import { callStripe, isStripeError, type StripeAccess } from '../stripe-client.ts'
import { cancelAtStripe, pauseAtStripe } from '../stripe-steering.ts'
import { runningStatuses } from '../subscription-query.ts'
import { isSecondTrial } from '../used-trials.ts'
import { nextAttemptAt } from '../../../platform/jobs/next-attempt.ts'

const batchSize = 20

interface Services {
  db: Database
  stripe: StripeAccess
}
type Task = Awaited<ReturnType<typeof claimDue>>[number]

/** Runs the due tasks. Returns how many succeeded; the others are retried later. */
export async function sweepStripeTasks({ db, stripe }: Services, now: Date): Promise<number> {
  // If no key is set, the tasks stay queued.
  if (!stripe.isSetUp()) return 0
  let done = await sweepRefundRequests({ db, stripe }, now)
  for (const task of await claimDue(db, now)) {
    try {
      await carryOut({ db, stripe }, task)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { subscription_id, task: what } = task
      db.log.warn({ err: error, subscription_id, task: what }, 'A task at Stripe failed')
      continue
    }
    done++
  }
  return done
}

/**
 * Returns the due tasks. Schedules their next attempt first, so that neither a crash nor another instance repeats this
 * attempt immediately.
 */
function claimDue(db: Database, now: Date) {
  return transaction(db, async (trx) => {
    const due = await trx.query
      .selectFrom('stripe_tasks as t')
      .innerJoin('stripe_subscriptions as b', 'b.id', 't.subscription_id')
      .select(['t.subscription_id', 't.task', 't.tries', 'b.user_id'])
      .where('t.try_after', '<=', now.toISOString())
      .orderBy('t.try_after')
      .limit(batchSize)
      .forUpdate('t')
      .skipLocked()
      .execute()
    for (const { subscription_id, task, tries } of due) {
      const try_after = nextAttemptAt(now, tries)
      await trx.query
        .updateTable('stripe_tasks')
        .set({ tries: tries + 1, try_after })
        .where('subscription_id', '=', subscription_id)
        .where('task', '=', task)
        .execute()
    }
    return due
  })
}

async function carryOut(services: Services, task: Task): Promise<void> {
  const { db, stripe } = services
  const { subscription_id: id, user_id } = task
  if (task.task === 'pause_banned') {
    if (user_id !== null && (await isStillBanned(db, task, user_id))) {
      await callStripe(stripe, (client) => stopCharges(client, db, id))
      return recordPause(db, task, user_id)
    }
    return finish(db, task)
  }
  if (task.task === 'check_trial') {
    const isSecond = await callStripe(stripe, (client) => isSecondTrial({ db, client }, id))
    if (!isSecond || user_id === null) return finish(db, task)
    await callStripe(stripe, (client) => cancelAtStripe(client, id))
    return recordSecondTrial(db, task, user_id)
  }
  if (task.task === 'cancel_duplicate') {
    const isDuplicate =
      user_id !== null && (await findDuplicateSubscriptions(db, user_id)).includes(id)
    if (!isDuplicate) return finish(db, task)
    await callStripe(stripe, (client) => cancelAtStripe(client, id))
    await recordCancellation(db, id, user_id)
  }
  await callStripe(stripe, (client) => refundAll(client, db, task))
  await finish(db, { ...task, task: 'refund_duplicate' })
}

/**
 * Marks the second subscription as canceled, so that it no longer affects the person's plan, and enqueues its refund as
 * the next task.
 */
function recordCancellation(db: Database, id: string, userId: string): Promise<void> {
  return transaction(db, async (trx) => {
    await trx.query
      .updateTable('stripe_tasks')
      .set({ task: 'refund_duplicate' })
      .where('subscription_id', '=', id)
      .where('task', '=', 'cancel_duplicate')
      .execute()
    await trx.query
      .updateTable('stripe_subscriptions')
      .set({ let_go: true, status: 'canceled' })
      .where('id', '=', id)
      .execute()
    await writeAudit({ actor: null, ip: '' }, trx, {
      action: 'update',
      entity: 'subscription',
      entity_id: userId,
      after: { stripe: 'canceled', reason: 'a second subscription, which is refunded' },
    })
  })
}

async function isStillBanned(db: Database, task: Task, userId: string): Promise<boolean> {
  const row = await db.query
    .selectFrom('profiles as p')
    .innerJoin('stripe_subscriptions as b', 'b.user_id', 'p.id')
    .select('b.id')
    .where('p.id', '=', userId)
    .where('p.banned_at', 'is not', null)
    .where('b.id', '=', task.subscription_id)
    .where('b.status', 'in', runningStatuses)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Pauses collection, which only affects future invoices. Also voids unpaid invoices, because Stripe would try to charge
 * them again.
 */
async function stopCharges(client: Stripe, db: Database, id: string): Promise<void> {
  await pauseAtStripe(client, id)
  const failed = await db.query
    .selectFrom('failed_payments')
    .select('invoice_id')
    .where('subscription_id', '=', id)
    .execute()
  for (const { invoice_id } of failed) {
    try {
      await client.invoices.voidInvoice(invoice_id)
    } catch (error) {
      // The invoice has been paid, voided or written off in the meantime.
      if (!isStripeError(error) || error.statusCode !== 400) throw error
    }
  }
}

/** Records the pause of a banned person's subscription. Stripe's event then updates the person's plan. */
function recordPause(db: Database, task: Task, userId: string): Promise<void> {
  return transaction(db, async (trx) => {
    await finish(trx, task)
    await trx.query
      .updateTable('stripe_subscriptions')
      .set({ status: 'paused' })
      .where('id', '=', task.subscription_id)
      .execute()
    await trx.query
      .deleteFrom('failed_payments')
      .where('subscription_id', '=', task.subscription_id)
      .execute()
    await writeAudit({ actor: null, ip: '' }, trx, {
      action: 'update',
      entity: 'subscription',
      entity_id: userId,
      after: { stripe: 'paused', reason: 'the person is banned' },
    })
  })
}

/** Records the cancellation of a second free trial. Stripe's event then ends the person's plan. */
function recordSecondTrial(db: Database, task: Task, userId: string): Promise<void> {
  return transaction(db, async (trx) => {
    await finish(trx, task)
    await writeAudit({ actor: null, ip: '' }, trx, {
      action: 'update',
      entity: 'subscription',
      entity_id: userId,
      after: { stripe: 'canceled', reason: 'a second free trial of this person or card' },
    })
  })
}

/** Refunds every payment of the subscription. Stripe's events update the ledger. */
async function refundAll(
  client: Stripe,
  db: Database,
  { subscription_id, user_id }: Task,
): Promise<void> {
  const invoices = await client.invoices.list({
    subscription: subscription_id,
    status: 'paid',
    expand: ['data.payments'],
  })
  for (const { id: invoice_id, payments, amount_paid, currency } of invoices.data) {
    for (const { payment, status } of payments?.data ?? []) {
      const intent = payment.payment_intent
      if (status !== 'paid' || !intent) continue
      const refused = await refund(client, typeof intent === 'string' ? intent : intent.id)
      if (refused === null) continue
      const invoice = { invoice_id, user_id, amount_cents: amount_paid, currency }
      await saveRefusedDuplicate(db, invoice, refused)
    }
  }
}

/** Refunds a payment. Returns why Stripe rejected the refund permanently, or null if the payment is refunded. */
async function refund(client: Stripe, payment_intent: string): Promise<RefundFailure | null> {
  try {
    await client.refunds.create(
      { payment_intent, reason: 'duplicate' },
      { idempotencyKey: `duplicate-${payment_intent}` },
    )
    return null
  } catch (error) {
    const refusal = findRefundFailure(error)
    if (refusal === null) throw error
    return refusal === 'already_refunded' ? null : refusal
  }
}

async function finish(
  handle: Handle,
  { subscription_id, task }: Pick<Task, 'subscription_id' | 'task'>,
): Promise<void> {
  await handle.query
    .deleteFrom('stripe_tasks')
    .where('subscription_id', '=', subscription_id)
    .where('task', '=', task)
    .execute()
}
