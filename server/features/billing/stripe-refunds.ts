// Refunds by Stripe and chargebacks by a customer's bank. Some events report a charge with the total of its refunds,
// others a single refund, which may fail later. They arrive in any order, possibly before the payment itself. Each
// event is stored, and the ledger is updated from all stored events. The refunded sum is therefore correct for any
// order of events.
import { sql } from 'kysely'
import type { RefundFailure } from '#contract/refunds.ts'
import { lockByName, lockNames } from '../../platform/db/advisory-locks.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { callStripe, type StripeAccess } from './stripe-client.ts'
import type { BillingEvent } from './stripe-event.ts'
import { readCharge, type RefundFact } from './stripe-refund-event.ts'

/** Stores the refund of an event and updates the ledger. Returns true if the ledger changed. */
export async function applyRefund(
  trx: Transaction,
  fact: RefundFact,
  event: { is_simulated: boolean; occurred_at: string },
): Promise<boolean> {
  if (fact.customer_id !== null) await lockCustomer(trx, fact.customer_id)
  if (fact.payment_intent !== null) await lockCustomer(trx, fact.payment_intent)
  await lockCharge(trx, fact.charge_id)
  const { refund_id, currency: _, ...rest } = fact
  const received = { ...rest, event_at: event.occurred_at }
  await trx.query
    .insertInto('stripe_refunds')
    .values({ ...received, id: refund_id ?? fact.charge_id, is_simulated: event.is_simulated })
    .onConflict((conflict) =>
      conflict
        .columns(['id', 'is_simulated'])
        .doUpdateSet(received)
        // A failed refund stays failed. If two totals have the same timestamp, the larger one is the later one.
        .where('stripe_refunds.is_failed', '=', false)
        .where(
          sql<boolean>`(stripe_refunds.event_at, stripe_refunds.refunded_cents)
            < (excluded.event_at, excluded.refunded_cents) or excluded.is_failed`,
        ),
    )
    .execute()
  if (fact.is_failed && refund_id !== null) await recordFailedRefund(trx, refund_id)
  return settleCharge(trx, fact.charge_id, event.is_simulated, event.occurred_at)
}

/** Applies refunds that arrived before their payment. The caller must hold the lock on the customer. */
export async function settleCustomer(
  trx: Transaction,
  customerId: string,
  event: { is_simulated: boolean; occurred_at: string },
): Promise<void> {
  const charges = await trx.query
    .selectFrom('stripe_refunds')
    .select('charge_id')
    .distinct()
    .where('customer_id', '=', customerId)
    .where('is_simulated', '=', event.is_simulated)
    .execute()
  for (const { charge_id } of charges) {
    await lockCharge(trx, charge_id)
    await settleCharge(trx, charge_id, event.is_simulated, event.occurred_at)
  }
}

/**
 * Applies refunds that arrived before a payment without an invoice. The caller must hold the lock on the payment intent
 * instead.
 */
export async function settleIntent(
  trx: Transaction,
  paymentIntent: string,
  event: { is_simulated: boolean; occurred_at: string },
): Promise<void> {
  const charges = await trx.query
    .selectFrom('stripe_refunds')
    .select('charge_id')
    .distinct()
    .where('payment_intent', '=', paymentIntent)
    .where('is_simulated', '=', event.is_simulated)
    .execute()
  for (const { charge_id } of charges) {
    await lockCharge(trx, charge_id)
    await settleCharge(trx, charge_id, event.is_simulated, event.occurred_at)
  }
}

/**
 * Reads the charge of a dispute from Stripe unless its customer is already known, because the event contains only the
 * charge's id. Throws `stripe_failed`; Stripe then resends the event.
 */
export async function findDisputedCharge(
  { db, stripe }: { db: Database; stripe: StripeAccess },
  event: BillingEvent,
): Promise<RefundFact[]> {
  const [first] = event.refunds
  if (!stripe.isSetUp() || !first?.is_dispute) return []
  const known = await db.query
    .selectFrom('stripe_refunds')
    .select('id')
    .where('id', '=', first.charge_id)
    .where('is_simulated', '=', false)
    .executeTakeFirst()
  if (known) return []
  const charge = await callStripe(stripe, (client) => client.charges.retrieve(first.charge_id))
  return [readCharge(charge, event)]
}

/**
 * Take this lock before inserting a payment or a refund. Otherwise, concurrent transactions would not see each other's
 * rows. To avoid deadlocks, take it before the lock of a charge.
 */
export function lockCustomer(trx: Transaction, customerId: string): Promise<void> {
  return lockByName(trx, lockNames.customer(customerId))
}

/** Locks the charge. Events about a single refund do not contain the customer, so they cannot lock the customer. */
function lockCharge(trx: Transaction, chargeId: string): Promise<void> {
  return lockByName(trx, lockNames.charge(chargeId))
}

async function settleCharge(
  trx: Transaction,
  charge_id: string,
  is_simulated: boolean,
  occurredAt: string,
): Promise<boolean> {
  const received = await trx.query
    .selectFrom('stripe_refunds')
    .selectAll()
    .where('charge_id', '=', charge_id)
    .where('is_simulated', '=', is_simulated)
    .execute()
  const charge = received.find(({ id }) => id === charge_id)
  const payment = charge && (await findPaid(trx, charge))
  if (!payment) return false
  const singles = received.filter(({ id, is_dispute }) => id !== charge_id && !is_dispute)
  const disputed = received
    .filter(({ is_dispute, is_failed }) => is_dispute && !is_failed)
    .reduce((cents, row) => cents + row.refunded_cents, 0)
  const sum = (isFailed: boolean) =>
    singles.reduce((cents, row) => cents + (row.is_failed === isFailed ? row.refunded_cents : 0), 0)
  const refunded = Math.max(charge.refunded_cents - sum(true), sum(false), 0)
  const target = Math.min(refunded + disputed, payment.amount_cents)
  const difference = target - (await recordedFor(trx, charge_id, is_simulated))
  if (difference === 0) return false
  await trx.query
    .insertInto('payments')
    .values({
      user_id: payment.user_id,
      kind: 'refund',
      amount_cents: -difference,
      currency: payment.currency,
      payment_method: 'stripe',
      tier: payment.tier,
      stripe_customer_id: payment.stripe_customer_id,
      stripe_charge_id: charge_id,
      is_simulated,
      paid_at: occurredAt,
      refund_of: payment.id,
    })
    .execute()
  return true
}

interface Charge {
  id: string
  payment_intent: string | null
  customer_id: string | null
  invoice_id: string | null
  charge_cents: number | null
  charged_at: string | null
  is_simulated: boolean
}

/**
 * Finds the payment of the charge in the ledger. Undefined for the owner's other products, which are not in the ledger.
 */
async function findPaid(trx: Transaction, charge: Charge) {
  const payments = trx.query
    .selectFrom('payments')
    .selectAll()
    .where('kind', '=', 'payment')
    .where('is_simulated', '=', charge.is_simulated)
  if (charge.payment_intent !== null) {
    const intent = charge.payment_intent
    const found = await payments.where('stripe_payment_intent', '=', intent).executeTakeFirst()
    if (found) return found
  }
  if (charge.invoice_id !== null) {
    return payments.where('stripe_invoice_id', '=', charge.invoice_id).executeTakeFirst()
  }
  if (charge.customer_id === null) return undefined
  // Newer Stripe API versions do not report the invoice, so use the payment with the same amount that is nearest in
  // time.
  return payments
    .where('stripe_customer_id', '=', charge.customer_id)
    .where('stripe_payment_intent', 'is', null)
    .$if(charge.charge_cents !== null, (query) =>
      query.where('amount_cents', '=', charge.charge_cents ?? 0),
    )
    .orderBy(sql`abs(extract(epoch from paid_at - ${charge.charged_at}::timestamptz))`)
    .limit(1)
    .executeTakeFirst()
}

async function recordedFor(
  trx: Transaction,
  chargeId: string,
  isSimulated: boolean,
): Promise<number> {
  const { cents } = await trx.query
    .selectFrom('payments')
    .select(sql<number>`coalesce(-sum(amount_cents), 0)::bigint`.as('cents'))
    .where('stripe_charge_id', '=', chargeId)
    .where('is_simulated', '=', isSimulated)
    .executeTakeFirstOrThrow()
  return cents
}

/** Marks the admin's refund request as rejected, because a bank may return a refund days later. */
export async function recordFailedRefund(trx: Transaction, refundId: string): Promise<void> {
  await trx.query
    .updateTable('refund_requests')
    .set({ state: 'refused', failure: 'bank_refused' satisfies RefundFailure })
    .where('stripe_refund_id', '=', refundId)
    .where('state', '=', 'done')
    .execute()
}
