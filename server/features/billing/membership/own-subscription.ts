// A member's own subscription: canceling it at the end of the paid period, resuming it, and accepting the retention
// offer. Each change is made at Stripe first. Stripe's response is applied immediately; the event that follows changes
// nothing more.
import type { Stripe } from 'stripe'
import type * as contract from '#contract/own-subscription.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type { StripeSubscriptionRow } from '../../../platform/db/tables.ts'
import { transaction, type Handle, type Transaction } from '../../../platform/db/database.ts'
import { planCanceledMail } from '../../../platform/mail/plan-mails.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import type { SecretBox } from '../../../platform/security/secret-box.ts'
import { sendPlanEndedEmail } from '../expire-subscriptions.ts'
import { sendNotice, type SendBillingMail } from '../notices/billing-mailer.ts'
import { callStripe, nullIfMissing, type StripeAccess } from '../stripe-client.ts'
import { readSubscriptionObject } from '../stripe-event.ts'
import { applyToPerson } from '../stripe-person.ts'
import { readStripeSettings, type StripeSettings } from '../stripe-settings.ts'
import { applyChange } from '../stripe-state.ts'
import { runningStatuses } from '../subscription-query.ts'
import { findRetentionOffer, applyRetentionOffer } from './retention-offer.ts'

export interface MembershipServices {
  stripe: StripeAccess
  secretBox: SecretBox
  sendMail: SendBillingMail
}

/** The statuses of a subscription with a paid period. With any other status, cancellation takes effect immediately. */
const paidStatuses = ['active', 'trialing']

export async function getOwnSubscription(
  services: MembershipServices,
  ctx: MemberContext,
): Promise<Output<typeof contract.getOwnSubscription>> {
  const settings = await readStripeSettings(ctx.db, services.secretBox)
  const row = await findOwnSubscription(ctx.db, ctx.actor.user_id)
  return { data: row && (await present(ctx, settings, row)) }
}

export async function cancelSubscription(
  services: MembershipServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.cancelSubscription>,
): Promise<Output<typeof contract.cancelSubscription>> {
  const row = await requireOwnSubscription(ctx)
  if (row.cancels) return getOwnSubscription(services, ctx)
  const { feedback, comment } = body
  const cancellation_details = {
    ...(feedback !== null && { feedback }),
    ...(comment && { comment }),
  }
  const answer = await callStripe(services.stripe, (client) =>
    hasPaidPeriod(row)
      ? client.subscriptions.update(row.id, { cancel_at_period_end: true, cancellation_details })
      : cancelNow(client, row.id, cancellation_details),
  )
  await saveStripeResponse(services, ctx, row, answer)
  return getOwnSubscription(services, ctx)
}

export async function resumeSubscription(
  services: MembershipServices,
  ctx: MemberContext,
): Promise<Output<typeof contract.resumeSubscription>> {
  const row = await requireOwnSubscription(ctx)
  if (row.cancels) {
    const answer = await callStripe(services.stripe, (client) =>
      client.subscriptions.update(row.id, { cancel_at_period_end: false }),
    )
    await saveStripeResponse(services, ctx, row, answer)
  }
  return getOwnSubscription(services, ctx)
}

export async function acceptRetentionOffer(
  services: MembershipServices,
  ctx: MemberContext,
): Promise<Output<typeof contract.acceptRetentionOffer>> {
  const settings = await readStripeSettings(ctx.db, services.secretBox)
  const row = await requireOwnSubscription(ctx)
  await applyRetentionOffer(services.stripe, ctx, row, settings.retention)
  return getOwnSubscription(services, ctx)
}

/**
 * Returns the subscription that determines the member's plan. If there is none, returns the newest one that may still
 * be charged.
 */
export async function findOwnSubscription(
  handle: Handle,
  userId: string,
): Promise<StripeSubscriptionRow | null> {
  const row = await handle.query
    .selectFrom('stripe_subscriptions as b')
    .leftJoin('subscriptions as s', 's.stripe_subscription_id', 'b.id')
    .selectAll('b')
    .where('b.user_id', '=', userId)
    .where('b.status', 'in', runningStatuses)
    .where('b.status', '!=', 'incomplete')
    .where('b.event_is_simulated', '=', false)
    .where('b.let_go', '=', false)
    .orderBy('s.user_id', (order) => order.asc().nullsLast())
    .orderBy('b.started_at', (order) => order.desc().nullsLast())
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

async function requireOwnSubscription(ctx: MemberContext): Promise<StripeSubscriptionRow> {
  const row = await findOwnSubscription(ctx.db, ctx.actor.user_id)
  if (!row) throw new AppError('no_subscription')
  return row
}

async function present(ctx: MemberContext, settings: StripeSettings, row: StripeSubscriptionRow) {
  return {
    cancels: row.cancels,
    ends_at: row.ends_at,
    ends_at_once: !hasPaidPeriod(row),
    retention_offer: await findRetentionOffer(ctx, row, settings.retention),
  }
}

export function hasPaidPeriod({ status }: StripeSubscriptionRow): boolean {
  return paidStatuses.includes(status ?? '')
}

/** Cancels the subscription immediately and returns it. Returns null if it has already ended at Stripe. */
export async function cancelNow(
  client: Stripe,
  id: string,
  cancellation_details: Stripe.SubscriptionCancelParams.CancellationDetails,
): Promise<Stripe.Subscription | null> {
  return nullIfMissing(client.subscriptions.cancel(id, { cancellation_details }))
}

/** Stores the state of the subscription that Stripe returned. `also` makes further changes in the same transaction. */
export async function saveStripeResponse(
  services: MembershipServices,
  ctx: MemberContext,
  before: StripeSubscriptionRow,
  answer: Stripe.Subscription | null,
  also: (trx: Transaction) => Promise<void> = async () => {},
): Promise<void> {
  const settings = await readStripeSettings(ctx.db, services.secretBox)
  await transaction(ctx.db, async (trx) => {
    const row = await trx.query
      .selectFrom('stripe_subscriptions')
      .selectAll()
      .where('id', '=', before.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const state = toSubscriptionState(ctx, row, answer, settings)
    await trx.query
      .updateTable('stripe_subscriptions')
      .set(state)
      .where('id', '=', row.id)
      .execute()
    await also(trx)
    if (row.user_id === null) return
    const end = await applyToPerson(ctx, trx, row.user_id, settings)
    if (end) await sendPlanEndedEmail(trx, services.sendMail, row.user_id, end.ended_at)
    if (state.cancels) await sendCancellationEmail(trx, services.sendMail, { ...row, ...state })
  })
}

function toSubscriptionState(
  ctx: MemberContext,
  row: StripeSubscriptionRow,
  answer: Stripe.Subscription | null,
  { prices }: StripeSettings,
) {
  const now = ctx.now().toISOString()
  if (answer === null) return { status: 'canceled', ends_at: now, cancels: row.cancels }
  const fact = readSubscriptionObject(answer, answer.status === 'canceled' ? 'deleted' : 'updated')
  return applyChange(row, fact, now, prices)
}

/** Sends an email with the end date of Premium, unless Premium has already ended. */
export async function sendCancellationEmail(
  trx: Transaction,
  sendMail: SendBillingMail,
  row: Pick<StripeSubscriptionRow, 'id' | 'user_id' | 'status' | 'ends_at' | 'cancel_asked_at'>,
): Promise<void> {
  const { id, user_id, ends_at, cancel_asked_at } = row
  if (user_id === null || !paidStatuses.includes(row.status ?? '')) return
  const notice = { user_id, kind: 'canceled', key: `${id}:${cancel_asked_at}` } as const
  await sendNotice(trx, sendMail, notice, (to, site) => planCanceledMail(to, site, { ends_at }))
}
