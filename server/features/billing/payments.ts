// The ledger of payments and refunds, from which revenue is computed. Rows are only inserted; the database rejects
// updates and deletes. A row keeps the person's id, which identifies nobody after the account is deleted.
import { sql } from 'kysely'
import type { Payment, PaymentKind } from '#contract/admin/admin-billing.ts'
import type { ManualMethod, Tier } from '#contract/plans.ts'
import type { Handle, Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'

const shownPayments = 500

export interface StripePayment {
  user_id: string | null
  amount_cents: number
  /** ISO 4217, lower case. */
  currency: string
  tier: Tier | null
  stripe_invoice_id: string
  stripe_customer_id: string | null
  is_simulated: boolean
  paid_at: string
  covers_from: string | null
  covers_to: string | null
}

/** Adds a payment to the ledger. Returns false if its invoice is already there. */
export async function recordStripePayment(
  trx: Transaction,
  payment: StripePayment,
): Promise<boolean> {
  const { covers_from, covers_to } = payment
  const isPeriod = covers_from !== null && covers_to !== null && covers_from < covers_to
  const row = await trx.query
    .insertInto('payments')
    .values({
      ...payment,
      ...(!isPeriod && { covers_from: null, covers_to: null }),
      payment_method: 'stripe',
    })
    .onConflict((conflict) => conflict.columns(['stripe_invoice_id', 'is_simulated']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (row && !payment.is_simulated) await recordFriendPayment(trx, payment)
  return row !== undefined
}

/** If the payer joined with a referral link, marks the referral as paid. The reward is due after the waiting period. */
async function recordFriendPayment(
  trx: Transaction,
  { user_id, paid_at }: Pick<StripePayment, 'user_id' | 'paid_at'>,
): Promise<void> {
  if (user_id === null) return
  await sql`
    update referrals r
       set state = 'paid', paid_at = ${paid_at},
           due_at = ${paid_at}::timestamptz + make_interval(days => s.referral_wait_days)
      from settings s
     where r.friend_id = ${user_id} and r.state = 'joined' and s.id = 1`.execute(trx.query)
}

export interface ManualPayment {
  user_id: string
  kind: PaymentKind
  /** Positive for both payments and refunds. */
  amount_cents: number
  payment_method: ManualMethod
  /** ISO 4217, lower case. */
  currency: string
  tier: Tier
  paid_at: string
  covers_from?: string | null
  covers_to?: string | null
}

/**
 * Adds a manual payment or refund to the ledger and returns the id of the entry. The caller must hold the lock on the
 * person's row, so that two concurrent refunds cannot both pass the check of the amount.
 */
export async function recordManualPayment(
  trx: Transaction,
  payment: ManualPayment,
): Promise<string> {
  const amount = payment.kind === 'refund' ? -payment.amount_cents : payment.amount_cents
  if (amount < 0) await refuseMoreThanPaid(trx, payment, -amount)
  const { id } = await trx.query
    .insertInto('payments')
    .values({ ...payment, amount_cents: amount })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (amount > 0) await recordFriendPayment(trx, payment)
  return id
}

async function refuseMoreThanPaid(
  trx: Transaction,
  { user_id, currency }: ManualPayment,
  cents: number,
): Promise<void> {
  const { paid } = await trx.query
    .selectFrom('payments')
    .select(sql<number>`coalesce(sum(amount_cents), 0)::bigint`.as('paid'))
    .where('user_id', '=', user_id)
    .where('currency', '=', currency)
    .where('is_simulated', '=', false)
    .executeTakeFirstOrThrow()
  if (cents > paid) throw new AppError('refund_too_large')
}

/** The refunded amount of a payment, including pending refunds. */
const refunded = sql<number>`(
  select coalesce((select sum(r.amount_cents) from refund_requests r
                    where r.payment_id = payments.id and r.state = 'waiting'), 0)
       + greatest(
           coalesce((select -sum(l.amount_cents) from payments l
                      where l.refund_of = payments.id), 0),
           coalesce((select sum(r.amount_cents) from refund_requests r
                      where r.payment_id = payments.id and r.state = 'done'), 0)))::bigint`

export async function readRefunded(handle: Handle, paymentId: string): Promise<number> {
  const row = await handle.query
    .selectFrom('payments')
    .select(refunded.as('cents'))
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  return row.cents
}

/** Lists a person's payments and refunds, newest first. */
export async function listPayments(handle: Handle, userId: string): Promise<Payment[]> {
  return handle.query
    .selectFrom('payments')
    .leftJoin('receipts', 'receipts.payment_id', 'payments.id')
    .leftJoin('receipts as voiding', 'voiding.voids', 'receipts.number')
    .select([
      'payments.id',
      'kind',
      'payments.amount_cents',
      'payments.currency',
      'payments.payment_method',
      'tier',
      'is_simulated',
      'paid_at',
      'receipts.number as receipt_number',
      'voiding.number as voided_by',
      refunded.as('refunded_cents'),
      sql<boolean>`kind = 'payment' and not is_simulated
        and coalesce(stripe_invoice_id, stripe_payment_intent) is not null`.as('is_refundable'),
    ])
    .where('payments.user_id', '=', userId)
    .orderBy('paid_at', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(shownPayments)
    .execute()
}

/**
 * Returns the period that a manual payment covers. Without a given end, the period is one month or one year, depending
 * on the tier. Returns null for tiers without a period, and if the end is not after the start.
 */
export function getCoveredPeriod(
  tier: Tier,
  from: string,
  to: string | null,
): { covers_from: string; covers_to: string } | null {
  if (to !== null) return to > from ? { covers_from: from, covers_to: to } : null
  const end = new Date(from)
  if (tier === 'monthly') end.setUTCMonth(end.getUTCMonth() + 1)
  else if (tier === 'yearly') end.setUTCFullYear(end.getUTCFullYear() + 1)
  else return null
  return { covers_from: from, covers_to: end.toISOString() }
}
