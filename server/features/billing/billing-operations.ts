// Admin operations on subscriptions. They write the tier and the status to the profile, which permission checks read.
// Each change writes an audit entry in the same transaction and notifies the member's sessions immediately.
import type { Subscription } from '#contract/admin/admin-billing.ts'
import type * as contract from '#contract/admin/admin-billing.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { Branding } from '../settings/branding.ts'
import {
  getCoveredPeriod,
  listPayments,
  recordManualPayment,
  type ManualPayment,
} from './payments.ts'
import type { SendBillingMail } from './notices/billing-mailer.ts'
import { issueReceipt, receiptDescription } from './receipts/issue-receipt.ts'
import { saveSubscriptionFacts } from './save-subscription-facts.ts'
import { setPlan } from './set-plan.ts'
import { listRunning, changePlanAtStripe } from './stripe-steering.ts'
import { listSubscriptions } from './subscription-list.ts'
import { findSubscription } from './subscription-query.ts'
import type { StripeAccess } from './stripe-client.ts'

type Body = ParsedInput<typeof contract.runBillingAction>['body']
type Action<Name extends Body['action']> = Extract<Body, { action: Name }>
type Answer = Output<typeof contract.runBillingAction>

export interface BillingServices {
  stripe: StripeAccess
  /**
   * Returns the URL of the page at Stripe on which this customer manages the subscription. Throws
   * `stripe_not_configured` or `stripe_failed`.
   */
  openCustomerPortal: (stripeCustomerId: string) => Promise<string>
  branding: () => Pick<Branding, 'brand_name'>
  sendMail: SendBillingMail
}

/** Runs the admin operation that the `action` field of the request names. */
export async function runBillingAction(
  services: BillingServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.runBillingAction>,
): Promise<Answer> {
  switch (body.action) {
    case 'list_subscriptions':
      return listSubscriptions(ctx, body)
    case 'get_subscription':
      return { subscription: await findSubscription(ctx.db, body.user_id) }
    case 'manual_update_subscription':
      return { subscription: await saveManualSubscription(services, ctx, body) }
    case 'update_subscription':
      return { subscription: await updateSubscription(services, ctx, body) }
    case 'update_payment_method':
      return { subscription: await updatePaymentMethod(ctx, body) }
    case 'update_note':
      return { subscription: await updateNote(ctx, body) }
    case 'get_stripe_links':
      return { links: await getStripeLinks(services, ctx, body.user_id) }
    case 'list_payments':
      await findSubscription(ctx.db, body.user_id)
      return { payments: await listPayments(ctx.db, body.user_id) }
    case 'record_payment':
      return { payments: await recordPayment(services, ctx, body) }
  }
}

/** Creates or replaces a manual subscription: a plan that is paid outside Stripe. */
async function saveManualSubscription(
  services: BillingServices,
  ctx: MemberContext,
  body: Action<'manual_update_subscription'>,
): Promise<Subscription> {
  const startsAt = body.start_date === undefined ? undefined : toStartTime(body.start_date)
  const endsAt = body.end_date && toEndTime(body.end_date)
  return changeSubscription(ctx, body.user_id, async (trx, before) => {
    if ((await listRunning(trx, body.user_id)).length > 0) throw new AppError('not_manual')
    const start = startsAt ?? before.start_date
    if (endsAt && start && endsAt < start) throw new AppError('invalid_period')
    const given = {
      payment_method: body.payment_method,
      is_manual: true,
      trial_ends_at: null,
      updated_at: ctx.now().toISOString(),
      ...(startsAt !== undefined && { starts_at: startsAt }),
      ...(body.notes !== undefined && { notes: body.notes || null }),
    }
    await saveSubscriptionFacts(trx, body.user_id, given)
    const { user_id, tier, status } = body
    await setPlan(trx, ctx.now(), { user_id, tier, status, ends_at: endsAt })
    if (body.amount_cents === undefined) return {}
    const now = ctx.now().toISOString()
    await recordWithReceipt(services, trx, {
      user_id: body.user_id,
      kind: 'payment',
      amount_cents: body.amount_cents,
      currency: await readCurrency(trx),
      payment_method: body.payment_method,
      tier: body.tier,
      paid_at: now,
      ...getCoveredPeriod(body.tier, startsAt ?? now, endsAt ?? null),
    })
    return { amount_cents: body.amount_cents }
  })
}

/**
 * Changes the tier and the status of a person's plan. If Stripe bills the plan, changes the subscription at Stripe
 * first.
 */
async function updateSubscription(
  services: BillingServices,
  ctx: MemberContext,
  body: Action<'update_subscription'>,
): Promise<Subscription> {
  await findSubscription(ctx.db, body.user_id)
  const stripeChange = await changePlanAtStripe(services, ctx.db, body)
  const { user_id, tier, status } = body
  return changeSubscription(ctx, user_id, async (trx) => {
    await stripeChange.settle(trx)
    await setPlan(trx, ctx.now(), { user_id, tier, status })
    return stripeChange.done === null ? {} : { stripe: stripeChange.done }
  })
}

/** Records a manual payment or refund in the ledger. Does not change the person's plan. */
async function recordPayment(
  services: BillingServices,
  ctx: MemberContext,
  body: Action<'record_payment'>,
) {
  const { user_id, kind, amount_cents, payment_method } = body
  await changeSubscription(ctx, user_id, async (trx, { tier }) => {
    const paid_at = ctx.now().toISOString()
    const currency = body.currency ?? (await readCurrency(trx))
    const entry = { user_id, kind, amount_cents, currency, payment_method, tier, paid_at }
    const cover = kind === 'payment' ? getCoveredPeriod(tier, paid_at, null) : null
    await recordWithReceipt(services, trx, { ...entry, ...cover })
    return { ledger: kind, amount_cents, currency, ledger_method: payment_method }
  })
  return listPayments(ctx.db, user_id)
}

/**
 * Records a manual payment or refund in the ledger. For a payment, also issues a receipt and emails it to the member.
 */
async function recordWithReceipt(
  { branding, sendMail }: BillingServices,
  trx: Transaction,
  payment: ManualPayment,
): Promise<void> {
  const payment_id = await recordManualPayment(trx, payment)
  if (payment.kind !== 'payment') return
  const { user_id, amount_cents, currency, payment_method, tier, paid_at } = payment
  await issueReceipt(trx, sendMail, {
    payment_id,
    user_id,
    amount_cents,
    currency,
    payment_method,
    description: receiptDescription(branding().brand_name, tier),
    covers_from: payment.covers_from ?? null,
    covers_to: payment.covers_to ?? null,
    issued_at: paid_at,
  })
}

async function readCurrency(trx: Transaction): Promise<string> {
  const { currency } = await trx.query
    .selectFrom('settings')
    .select('currency')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return currency
}

function updatePaymentMethod(
  ctx: MemberContext,
  { user_id, payment_method }: Action<'update_payment_method'>,
): Promise<Subscription> {
  return changeSubscription(ctx, user_id, async (trx, before) => {
    if (!before.is_manual) throw new AppError('not_manual')
    await saveSubscriptionFacts(trx, user_id, { payment_method })
    return {}
  })
}

function updateNote(
  ctx: MemberContext,
  { user_id, note }: Action<'update_note'>,
): Promise<Subscription> {
  return changeSubscription(ctx, user_id, async (trx, before) => {
    // Pass `is_manual` unchanged: saving a note must not turn a Stripe subscription into a manual one.
    await saveSubscriptionFacts(trx, user_id, { notes: note || null, is_manual: before.is_manual })
    return { note: 'changed' }
  })
}

async function getStripeLinks(services: BillingServices, ctx: MemberContext, userId: string) {
  const { stripe_customer_id } = await findSubscription(ctx.db, userId)
  if (!stripe_customer_id) throw new AppError('stripe_not_configured')
  return { customer_portal: await services.openCustomerPortal(stripe_customer_id) }
}

/**
 * Changes a subscription and writes the audit entry in one transaction. `run` makes the change and returns additional
 * fields for the audit entry.
 */
async function changeSubscription(
  ctx: MemberContext,
  userId: string,
  run: (trx: Transaction, before: Subscription) => Promise<Record<string, unknown>>,
): Promise<Subscription> {
  return transaction(ctx.db, async (trx) => {
    await trx.query
      .selectFrom('profiles')
      .select('id')
      .where('id', '=', userId)
      .forUpdate()
      .execute()
    const before = await findSubscription(trx, userId)
    const also = await run(trx, before)
    const after = await findSubscription(trx, userId)
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'subscription',
      entity_id: userId,
      before: toAuditFields(before),
      after: { ...toAuditFields(after), ...also },
    })
    await notify(trx, 'sessions', userId)
    return after
  })
}

/** Returns midnight UTC for a date, and the same time for a timestamp. */
function toStartTime(date: string): string {
  return new Date(date).toISOString()
}

function toEndTime(date: string): string {
  return date.length === 10 ? `${date}T23:59:59.999Z` : new Date(date).toISOString()
}

/** Returns the fields that the audit entry stores. Omits the note, which may contain personal data. */
function toAuditFields({ tier, status, payment_method, is_manual, renewal_date }: Subscription) {
  return { tier, status, payment_method, is_manual, renewal_date }
}
