// Failed renewals: the reason, the deadline and the payment page. A row is kept until its invoice is paid. The failure
// is shown only while the subscription is past due or unpaid.
import type { Stripe } from 'stripe'
import type { PaymentAtRisk } from '#contract/admin/admin-billing.ts'
import type { PaymentFailure } from '#contract/payment-failures.ts'
import type { Profile } from '#contract/profiles.ts'
import type { Handle, Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Context } from '../../platform/operations/context.ts'
import { callStripe, type StripeAccess } from './stripe-client.ts'
import type { BillingFact, InvoiceFact } from './stripe-event.ts'

const shownAtRisk = 100

const reasons: Record<string, PaymentFailure> = {
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired_card',
  invalid_expiry_month: 'wrong_details',
  invalid_expiry_year: 'wrong_details',
  incorrect_cvc: 'wrong_details',
  invalid_cvc: 'wrong_details',
  incorrect_number: 'wrong_details',
  invalid_number: 'wrong_details',
  invalid_account: 'wrong_details',
  authentication_required: 'authentication_required',
  payment_intent_authentication_failure: 'authentication_required',
  issuer_not_available: 'bank_unavailable',
  processing_error: 'bank_unavailable',
  reenter_transaction: 'bank_unavailable',
  try_again_later: 'bank_unavailable',
}

/**
 * Reads the reason for a failed payment from Stripe, because the event does not contain it. If Stripe does not respond,
 * the reason is 'unknown' and the event is still applied. Call this before the transaction.
 */
export async function findFailure(
  ctx: Pick<Context, 'log'>,
  stripe: StripeAccess,
  fact: BillingFact | null,
): Promise<PaymentFailure> {
  if (!stripe.isSetUp() || fact?.kind !== 'invoice' || fact.is_paid || fact.is_first)
    return 'unknown'
  try {
    const invoice = await callStripe(stripe, (client) =>
      client.invoices.retrieve(fact.invoice_id, {
        expand: ['payments.data.payment.payment_intent'],
      }),
    )
    return findFailureReason(invoice)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    ctx.log.warn(
      { err: error, invoice_id: fact.invoice_id },
      'The reason for a failed payment could not be read',
    )
    return 'unknown'
  }
}

function findFailureReason({ payments }: Stripe.Invoice): PaymentFailure {
  const intents = (payments?.data ?? []).map(({ payment }) => payment.payment_intent)
  const error = intents.flatMap((intent) =>
    typeof intent === 'object' && intent.last_payment_error ? [intent.last_payment_error] : [],
  )[0]
  if (!error) return 'unknown'
  return reasons[error.decline_code ?? ''] ?? reasons[error.code ?? ''] ?? 'declined'
}

export async function recordFailedPayment(
  trx: Transaction,
  fact: BillingFact,
  event: { occurred_at: string; failure: PaymentFailure },
): Promise<void> {
  if (fact.kind !== 'invoice') return
  if (fact.is_paid) {
    await trx.query
      .deleteFrom('failed_payments')
      .where('invoice_id', '=', fact.invoice_id)
      .execute()
    return
  }
  if (fact.is_first || (await isPaid(trx, fact))) return
  const received = {
    reason: event.failure,
    amount_cents: fact.due_cents,
    currency: fact.currency,
    pay_url: fact.pay_url,
    failed_at: event.occurred_at,
    next_try_at: fact.next_try_at,
  }
  await trx.query
    .insertInto('failed_payments')
    .values({ ...received, invoice_id: fact.invoice_id, subscription_id: fact.subscription_id })
    .onConflict((conflict) =>
      conflict
        .column('invoice_id')
        .doUpdateSet(received)
        .where('failed_payments.failed_at', '<', event.occurred_at),
    )
    .execute()
}

/**
 * Whether the ledger has a payment of this invoice. The event about the payment may arrive before the one about the
 * failure.
 */
async function isPaid(trx: Transaction, { invoice_id }: InvoiceFact): Promise<boolean> {
  const row = await trx.query
    .selectFrom('payments')
    .select('id')
    .where('stripe_invoice_id', '=', invoice_id)
    .executeTakeFirst()
  return row !== undefined
}

/** Selects people's current Stripe subscriptions whose renewal failed. */
function selectPastDueSubscriptions(handle: Handle) {
  return handle.query
    .selectFrom('stripe_subscriptions as b')
    .innerJoin('subscriptions as s', (join) =>
      join
        .onRef('s.user_id', '=', 'b.user_id')
        .onRef('s.stripe_subscription_id', '=', 'b.id')
        .on('s.is_manual', '=', false),
    )
    .innerJoin('profiles as p', 'p.id', 's.user_id')
    .where('b.status', 'in', ['past_due', 'unpaid'])
    .where('b.let_go', '=', false)
    .select((eb) =>
      eb
        .case()
        .when('p.subscription_status', '=', 'active')
        .then(eb.ref('s.grace_until'))
        .end()
        .$castTo<string | null>()
        .as('premium_until'),
    )
}

export async function readPaymentProblem(
  handle: Handle,
  userId: string,
): Promise<Profile['payment_problem']> {
  const row = await selectPastDueSubscriptions(handle)
    .leftJoin('failed_payments as f', 'f.subscription_id', 'b.id')
    .select(['f.reason', 'f.pay_url'])
    .where('p.id', '=', userId)
    .orderBy('f.failed_at', (order) => order.desc().nullsLast())
    .limit(1)
    .executeTakeFirst()
  return row ? { ...row, reason: row.reason ?? 'unknown' } : null
}

export async function listAtRisk(handle: Handle): Promise<PaymentAtRisk[]> {
  return selectPastDueSubscriptions(handle)
    .innerJoin('failed_payments as f', 'f.subscription_id', 'b.id')
    .select([
      'p.id as user_id',
      'p.email',
      'f.amount_cents',
      'f.currency',
      'f.reason',
      'f.failed_at',
      'f.next_try_at',
    ])
    .where('b.event_is_simulated', '=', false)
    .orderBy('f.failed_at', 'desc')
    .orderBy('f.invoice_id')
    .limit(shownAtRisk)
    .execute()
}

/**
 * Returns the person's failed payments that have not been emailed yet, and marks them as emailed. Excludes demo
 * accounts, which have no mailbox.
 */
export async function claimUnsentFailures(trx: Transaction, userId: string) {
  const rows = await selectPastDueSubscriptions(trx)
    .innerJoin('failed_payments as f', 'f.subscription_id', 'b.id')
    .select(['p.email', 'f.invoice_id', 'f.amount_cents', 'f.currency', 'f.reason', 'f.pay_url'])
    .where('p.id', '=', userId)
    .where('p.is_demo', '=', false)
    .where('p.banned_at', 'is', null)
    .where('b.event_is_simulated', '=', false)
    .where('f.is_mailed', '=', false)
    .execute()
  for (const { invoice_id } of rows) {
    await trx.query
      .updateTable('failed_payments')
      .set({ is_mailed: true })
      .where('invoice_id', '=', invoice_id)
      .execute()
  }
  return rows
}
