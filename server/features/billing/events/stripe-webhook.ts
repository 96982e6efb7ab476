// Applies a signed event from Stripe, or an event that an admin simulates. Each event is applied once, and outdated
// events have no effect. An event and its effect are committed in one transaction.
import type { WebhookOutcome } from '#contract/billing.ts'
import type { PaymentFailure } from '#contract/payment-failures.ts'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import { transaction, type Database, type Transaction } from '../../../platform/db/database.ts'
import { receiptMail } from '../../../platform/mail/payment-mails.ts'
import { paymentFailedMail } from '../../../platform/mail/payment-failed-mail.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { Context } from '../../../platform/operations/context.ts'
import type { SecretBox } from '../../../platform/security/secret-box.ts'
import { sendPlanEndedEmail } from '../expire-subscriptions.ts'
import { findFailure, recordFailedPayment, claimUnsentFailures } from '../failed-payments.ts'
import { recordGiftPayment, endRefundedGifts } from '../gifts/gift-payments.ts'
import { sendCancellationEmail } from '../membership/own-subscription.ts'
import { sendNotice, type SendBillingMail } from '../notices/billing-mailer.ts'
import { recordStripePayment } from '../payments.ts'
import { enqueueLateCustomerDeletion } from '../stripe-closures.ts'
import {
  readBillingEvent,
  type BillingEvent,
  type BillingFact,
  type InvoiceFact,
} from '../stripe-event.ts'
import { applyToPerson, findPerson } from '../stripe-person.ts'
import { applyRefund, findDisputedCharge, lockCustomer, settleCustomer } from '../stripe-refunds.ts'
import type { StripeSettings } from '../stripe-settings.ts'
import { loadStripe, noStripe, requireAccount, type StripeAccess } from '../stripe-client.ts'
import { enqueueBanPause } from '../stripe-steering.ts'
import { isSoldHere, computeNextState } from '../stripe-state.ts'
import { recordTrial } from '../used-trials.ts'

type ReceivedEvent = BillingEvent & { is_simulated: boolean; failure: PaymentFailure }
type ReceivedFact = ReceivedEvent & { fact: BillingFact }

interface Result {
  outcome: Exclude<WebhookOutcome, 'duplicate'>
  user_id: string | null
}

/** Throws `webhook_invalid` unless Stripe signed these bytes with this secret within the last few minutes. */
export async function verifySignature(
  bytes: Buffer,
  signature: string | string[],
  secret: string,
  now: Date,
): Promise<void> {
  const { Stripe } = await loadStripe()
  try {
    Stripe.webhooks.signature?.verifyHeader(
      bytes,
      signature,
      secret,
      Stripe.webhooks.DEFAULT_TOLERANCE,
      undefined,
      now.getTime(),
    )
  } catch (cause) {
    throw new AppError('webhook_invalid', { cause })
  }
}

/**
 * Applies one event and returns the outcome. Throws `webhook_invalid` for a malformed event, and `stripe_failed` if
 * Stripe does not return the charge of a dispute.
 */
export async function applyBillingEvent(
  ctx: Context,
  payload: unknown,
  options: {
    settings: StripeSettings
    isSimulated: boolean
    stripe: StripeAccess
    sendMail: SendBillingMail
    secretBox: SecretBox
  },
): Promise<WebhookOutcome> {
  const reported = readBillingEvent(payload)
  // A simulated event does not exist at Stripe, so do not send requests about it.
  const stripe = options.isSimulated ? noStripe : options.stripe
  const asked = await findDisputedCharge({ db: ctx.db, stripe }, reported)
  const event = {
    ...reported,
    refunds: [...asked, ...reported.refunds],
    is_simulated: options.isSimulated,
    failure: await findFailure(ctx, stripe, reported.fact),
  }
  return transaction(ctx.db, async (trx) => {
    if (!event.is_simulated) await requireAccount(trx, options.settings.account_number)
    const rowId = await claimEvent(trx, event)
    const result = rowId === null ? null : await carryOut(ctx, trx, event, options)
    if (rowId !== null && result) await finishEvent(trx, rowId, result)
    const outcome = result?.outcome ?? 'duplicate'
    if (event.is_simulated) {
      await writeAudit(ctx, trx, {
        action: 'simulate',
        entity: 'subscription',
        entity_id: result?.user_id ?? null,
        after: { event_id: event.id, type: event.type, outcome, is_simulated: true },
      })
    }
    return outcome
  })
}

/**
 * Inserts a row for the event and returns the row's id. Returns null if the event was received before. The unique index
 * serializes concurrent deliveries of the same event.
 */
async function claimEvent(trx: Transaction, event: ReceivedEvent): Promise<string | null> {
  const row = await trx.query
    .insertInto('billing_events')
    .values({
      event_id: event.id,
      is_simulated: event.is_simulated,
      type: event.type,
      subscription_id: event.fact?.subscription_id ?? null,
      outcome: 'ignored',
      occurred_at: event.occurred_at,
    })
    .onConflict((conflict) => conflict.columns(['event_id', 'is_simulated']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

async function finishEvent(trx: Transaction, rowId: string, result: Result): Promise<void> {
  await trx.query.updateTable('billing_events').set(result).where('id', '=', rowId).execute()
}

async function carryOut(
  ctx: Context,
  trx: Transaction,
  event: ReceivedEvent,
  {
    settings,
    sendMail,
    secretBox,
  }: { settings: StripeSettings; sendMail: SendBillingMail; secretBox: SecretBox },
): Promise<Result> {
  const { fact, refunds } = event
  const { prices } = settings
  if (refunds.length > 0) {
    let isInLedger = false
    for (const refund of refunds) {
      if (await applyRefund(trx, refund, event)) isInLedger = true
    }
    if (!event.is_simulated) await endRefundedGifts(trx, refunds, ctx.now())
    return { outcome: isInLedger ? 'applied' : 'ignored', user_id: null }
  }
  // Webhook Test, with which admins simulate events, does not simulate gift purchases.
  if (event.gift && !event.is_simulated) {
    const received = { now: ctx.now(), occurred_at: event.occurred_at, secretBox, sendMail }
    const recorded = await recordGiftPayment(trx, event.gift, received)
    return { outcome: recorded ? 'applied' : 'ignored', user_id: recorded?.user_id ?? null }
  }
  if (!fact) return { outcome: 'ignored', user_id: null }
  const received = { ...event, fact }
  const isNew = isSoldHere(fact, prices)
  const row = await lockSubscription(trx, received, isNew)
  if (!row) return { outcome: 'ignored', user_id: null }
  // A simulated event must not overwrite a real subscription: we would lose the id needed to cancel it.
  if (event.is_simulated && !row.event_is_simulated) {
    return { outcome: 'outdated', user_id: row.user_id }
  }

  const user_id = row.user_id ?? (await findPerson(trx, fact))
  const state = computeNextState(row, received, prices)
  await trx.query
    .updateTable('stripe_subscriptions')
    .set({
      ...state,
      user_id,
      customer_id: row.customer_id ?? fact.customer_id,
      bought_here: row.bought_here || fact.claimed_user_id !== null,
    })
    .where('id', '=', row.id)
    .execute()
  const isPayment = await recordPayment(trx, received, user_id, state?.tier ?? row.tier)
  if (user_id !== null) {
    if (!event.is_simulated) await recordTrial(trx, fact, user_id)
    await recordFailedPayment(trx, fact, event)
    const end = await applyToPerson(ctx, trx, user_id, settings)
    if (!event.is_simulated) {
      if (isPayment && fact.kind === 'invoice') await sendReceipt(trx, sendMail, user_id, fact)
      if (end) await sendPlanEndedEmail(trx, sendMail, user_id, end.ended_at)
      if (state?.cancels && !row.cancels)
        await sendCancellationEmail(trx, sendMail, { ...row, ...state })
    }
    if (fact.kind === 'subscription' && fact.step === 'created')
      await enqueueBanPause(trx, [user_id])
    for (const { email, ...payment } of await claimUnsentFailures(trx, user_id)) {
      await sendMail(trx, (site) => paymentFailedMail(email, site, payment))
    }
  } else if (!event.is_simulated) await enqueueLateCustomerDeletion(trx, fact)
  return { outcome: state || isPayment ? 'applied' : 'outdated', user_id }
}

/** Emails the receipt for a paid invoice, once per invoice. */
function sendReceipt(
  trx: Transaction,
  sendMail: SendBillingMail,
  user_id: string,
  { invoice_id, amount_cents, currency, period_end, pay_url }: InvoiceFact,
): Promise<void> {
  const notice = { user_id, kind: 'receipt', key: invoice_id } as const
  const payment = { amount_cents, currency, covers_to: period_end, invoice_url: pay_url }
  return sendNotice(trx, sendMail, notice, (to, site) => receiptMail(to, site, payment))
}

/**
 * Locks the subscription's row. Inserts it first if it is missing and the subscription was sold here. A row created by
 * a simulated event is deleted when the first real event about the subscription arrives.
 */
async function lockSubscription(
  trx: Transaction,
  { fact, is_simulated }: ReceivedFact,
  isNew: boolean,
) {
  if (!is_simulated) {
    await trx.query
      .deleteFrom('stripe_subscriptions')
      .where('id', '=', fact.subscription_id)
      .where('event_is_simulated', '=', true)
      .execute()
  }
  if (isNew) {
    await trx.query
      .insertInto('stripe_subscriptions')
      .values({ id: fact.subscription_id, event_is_simulated: is_simulated })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }
  return trx.query
    .selectFrom('stripe_subscriptions')
    .selectAll()
    .where('id', '=', fact.subscription_id)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Records the payment of a paid invoice in the ledger, even if newer events were applied before. Returns true if the
 * payment is new.
 */
async function recordPayment(
  trx: Transaction,
  { fact, is_simulated, occurred_at }: ReceivedFact,
  user_id: string | null,
  tier: 'monthly' | 'yearly' | 'premium' | null,
): Promise<boolean> {
  if (fact.kind !== 'invoice' || !fact.is_paid || fact.amount_cents === 0) return false
  const { customer_id } = fact
  if (customer_id !== null) await lockCustomer(trx, customer_id)
  const isNew = await recordStripePayment(trx, {
    user_id,
    amount_cents: fact.amount_cents,
    currency: fact.currency,
    tier,
    stripe_invoice_id: fact.invoice_id,
    stripe_customer_id: customer_id,
    is_simulated,
    paid_at: fact.paid_at ?? occurred_at,
    covers_from: fact.period_start,
    covers_to: fact.period_end,
  })
  if (isNew && customer_id !== null) {
    await settleCustomer(trx, customer_id, { is_simulated, occurred_at })
  }
  return isNew
}

/** How long event ids are kept for deduplication: Stripe resends an event for three days. */
const keptDays = 90

/** Deletes events that are too old to be resent. */
export async function deleteOldBillingEvents(db: Database, now: Date): Promise<void> {
  await db.query
    .deleteFrom('billing_events')
    .where('received_at', '<', new Date(now.getTime() - keptDays * 24 * 3600 * 1000).toISOString())
    .execute()
}
