// Stores the refunds that admins request. The worker carries them out at Stripe, and Stripe's events then update the
// ledger.
import type * as contract from '#contract/admin/money/admin-refunds.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { refundFailures } from '#contract/refunds.ts'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import { lockByName, lockNames } from '../../../platform/db/advisory-locks.ts'
import { transaction, type Handle, type Transaction } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import { readRefunded } from '../payments.ts'
import type { StripeAccess } from '../stripe-client.ts'

const shownDays = 30
const shownRefunds = 100

/**
 * Requests a refund. The lock serializes concurrent requests for one payment: the second one finds that the refunded
 * amount has changed.
 */
export async function refundPayment(
  { stripe }: { stripe: StripeAccess },
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.refundPayment>,
): Promise<Output<typeof contract.refundPayment>> {
  if (!stripe.isSetUp()) throw new AppError('stripe_not_configured')
  return transaction(ctx.db, async (trx) => {
    const payment = await lockPayment(trx, body.payment_id)
    const refunded = await readRefunded(trx, payment.id)
    if (refunded !== body.refunded_cents) throw new AppError('refunded_meanwhile')
    if (body.amount_cents > payment.amount_cents - refunded) throw new AppError('refund_too_large')
    const { id } = await trx.query
      .insertInto('refund_requests')
      .values({
        payment_id: payment.id,
        user_id: payment.user_id,
        amount_cents: body.amount_cents,
        currency: payment.currency,
        reason: body.reason,
        requested_by: ctx.actor.user_id,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'subscription',
      entity_id: payment.user_id,
      after: { refund: 'requested', amount_cents: body.amount_cents, reason: body.reason },
    })
    const [row] = await selectRefunds(trx).where('r.id', '=', id).execute()
    if (!row) throw new AppError('payment_not_found')
    return present(row)
  })
}

async function lockPayment(trx: Transaction, id: string) {
  const payment = await trx.query
    .selectFrom('payments as p')
    .leftJoin('profiles as who', 'who.id', 'p.user_id')
    .select([
      'p.id',
      'p.kind',
      'p.amount_cents',
      'p.currency',
      'p.is_simulated',
      'p.stripe_invoice_id',
      'p.stripe_payment_intent',
      'who.id as user_id',
    ])
    .where('p.id', '=', id)
    .executeTakeFirst()
  if (!payment) throw new AppError('payment_not_found')
  const { kind, is_simulated, stripe_invoice_id, stripe_payment_intent, user_id } = payment
  const isFromStripe = stripe_invoice_id !== null || stripe_payment_intent !== null
  if (kind !== 'payment' || is_simulated || !isFromStripe) throw new AppError('not_refundable')
  // Use an advisory lock: rows of the ledger cannot be locked, because the database rejects updates to them.
  await lockByName(trx, lockNames.refund(id))
  return { ...payment, user_id }
}

export async function listRefunds(
  ctx: MemberContext,
): Promise<Output<typeof contract.listRefunds>> {
  const since = new Date(ctx.now().getTime() - shownDays * 24 * 3600 * 1000).toISOString()
  const rows = await selectRefunds(ctx.db)
    .where((is) =>
      is.or([
        is('r.state', '=', 'waiting'),
        is.and([is('r.state', '=', 'refused'), is('r.settled_at', '>', since)]),
      ]),
    )
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id')
    .limit(shownRefunds)
    .execute()
  return { data: rows.map(present) }
}

function selectRefunds(handle: Handle) {
  return handle.query
    .selectFrom('refund_requests as r')
    .leftJoin('profiles as p', 'p.id', 'r.user_id')
    .select([
      'r.id',
      'r.user_id',
      'p.email',
      'r.payment_id',
      'r.amount_cents',
      'r.currency',
      'r.reason',
      'r.state',
      'r.failure',
      'r.created_at',
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof selectRefunds>['execute']>>[number]

function present({ failure, ...row }: Row) {
  const known = refundFailures.find((one) => one === failure) ?? 'other'
  return { ...row, failure: failure === null ? null : known }
}
