// Deletes the Stripe customers of deleted people, which also ends their subscriptions immediately. A deletion is queued
// in the transaction that deletes the person, and retried until Stripe succeeds.
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { callStripe, nullIfMissing, type StripeAccess } from './stripe-client.ts'
import type { BillingFact } from './stripe-event.ts'
import { nextAttemptAt } from '../../platform/jobs/next-attempt.ts'

const batchSize = 20

/**
 * Enqueues the deletion of the person's Stripe customers. Call this before the person's rows are deleted. Customers of
 * simulated subscriptions are skipped.
 */
export async function enqueueCustomerDeletion(trx: Transaction, userId: string): Promise<void> {
  const subscriptions = await trx.query
    .selectFrom('stripe_subscriptions')
    .select('customer_id')
    .where('user_id', '=', userId)
    .where('customer_id', 'is not', null)
    .where('event_is_simulated', '=', false)
    .execute()
  const facts = await trx.query
    .selectFrom('subscriptions')
    .select('stripe_customer_id')
    .where('user_id', '=', userId)
    .where('stripe_customer_id', 'is not', null)
    .execute()
  const ids = [
    ...subscriptions.map(({ customer_id }) => customer_id),
    ...facts.map(({ stripe_customer_id }) => stripe_customer_id),
  ]
  for (const id of new Set(ids)) if (id !== null) await recordClosure(trx, id)
}

/**
 * Enqueues the deletion of a customer who paid on a payment page that was still open when the account was deleted, so
 * that nobody pays for a deleted account.
 */
export async function enqueueLateCustomerDeletion(
  trx: Transaction,
  fact: BillingFact,
): Promise<void> {
  if (fact.customer_id === null || fact.claimed_user_id === null) return
  // Delete only customers of people who were deleted here: another installation may share the Stripe account.
  const erased = await trx.query
    .selectFrom('audit_log')
    .select('id')
    .where('entity', '=', 'user')
    .where('action', '=', 'delete')
    .where('entity_id', '=', fact.claimed_user_id)
    .executeTakeFirst()
  if (erased) await recordClosure(trx, fact.customer_id)
}

async function recordClosure(trx: Transaction, customer_id: string): Promise<void> {
  await trx.query
    .insertInto('stripe_closures')
    .values({ customer_id })
    .onConflict((conflict) => conflict.column('customer_id').doNothing())
    .execute()
}

/** Deletes the due customers at Stripe. Returns how many deletions succeeded; the others are retried later. */
export async function sweepStripeClosures(
  { db, stripe }: { db: Database; stripe: StripeAccess },
  now: Date,
): Promise<number> {
  // If no key is set, the deletions stay queued.
  if (!stripe.isSetUp()) return 0
  const due = await claimDue(db, now)
  let done = 0
  for (const { customer_id } of due) {
    try {
      await deleteCustomer(stripe, customer_id)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      db.log.warn({ err: error, customer_id }, 'A customer could not be deleted at Stripe yet')
      continue
    }
    await db.query.deleteFrom('stripe_closures').where('customer_id', '=', customer_id).execute()
    done++
  }
  return done
}

/**
 * Returns the due customers. Schedules their next attempt first, so that neither a crash nor another instance repeats
 * this attempt immediately.
 */
function claimDue(db: Database, now: Date): Promise<{ customer_id: string }[]> {
  return transaction(db, async (trx) => {
    const due = await trx.query
      .selectFrom('stripe_closures')
      .select(['customer_id', 'tries'])
      .where('try_after', '<=', now.toISOString())
      .orderBy('try_after')
      .limit(batchSize)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { customer_id, tries } of due) {
      const try_after = nextAttemptAt(now, tries)
      await trx.query
        .updateTable('stripe_closures')
        .set({ tries: tries + 1, try_after })
        .where('customer_id', '=', customer_id)
        .execute()
    }
    return due
  })
}

async function deleteCustomer(stripe: StripeAccess, customerId: string): Promise<void> {
  // The customer is missing if an earlier attempt or the owner has deleted it.
  await callStripe(stripe, (client) => nullIfMissing(client.customers.del(customerId)))
}
