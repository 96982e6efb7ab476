// Applies Stripe's events about payments and refunds of gifts. A full refund revokes only the unused months of that
// gift.
import { sql } from 'kysely'
import type { Transaction } from '../../../platform/db/database.ts'
import type { GiftRow } from '../../../platform/db/tables.ts'
import { giftReceiptMail } from '../../../platform/mail/gift-mails.ts'
import type { SecretBox } from '../../../platform/security/secret-box.ts'
import { sendNotice, type SendBillingMail } from '../notices/billing-mailer.ts'
import type { RefundFact } from '../stripe-refund-event.ts'
import type { GiftFact } from '../stripe-event.ts'
import { lockCustomer, settleIntent } from '../stripe-refunds.ts'
import { hashGiftCode, generateGiftCode } from './gift-code.ts'
import { revokeMonths } from './manual-months.ts'

interface Received {
  now: Date
  occurred_at: string
  secretBox: SecretBox
  sendMail: SendBillingMail
}

/**
 * Records the payment of a gift and returns the buyer. Returns null if there is no such gift, if the gift is not paid,
 * or if the payment was already recorded.
 */
export async function recordGiftPayment(
  trx: Transaction,
  fact: GiftFact,
  { now, occurred_at, secretBox, sendMail }: Received,
): Promise<{ user_id: string | null } | null> {
  if (!fact.is_paid || fact.payment_intent === null) return null
  await lockCustomer(trx, fact.payment_intent)
  const code = generateGiftCode()
  const gift = await trx.query
    .updateTable('gifts')
    .set({
      code_hash: hashGiftCode(code),
      code_sealed: secretBox.seal(code),
      payment_intent: fact.payment_intent,
      paid_at: occurred_at,
    })
    .where('id', '=', fact.gift_id)
    .where('paid_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!gift) return null
  await trx.query
    .insertInto('payments')
    .values({
      user_id: gift.buyer_id,
      amount_cents: fact.amount_cents,
      currency: fact.currency,
      payment_method: 'stripe',
      tier: 'premium',
      stripe_payment_intent: fact.payment_intent,
      stripe_customer_id: fact.customer_id,
      is_simulated: false,
      paid_at: occurred_at,
    })
    .execute()
  if (gift.buyer_id !== null) await sendReceipt(trx, sendMail, gift, gift.buyer_id, code)
  await settleIntent(trx, fact.payment_intent, { is_simulated: false, occurred_at })
  await settleGift(trx, fact.payment_intent, now)
  return { user_id: gift.buyer_id }
}

function sendReceipt(
  trx: Transaction,
  sendMail: SendBillingMail,
  gift: GiftRow,
  user_id: string,
  code: string,
): Promise<void> {
  const notice = { user_id, kind: 'gift_receipt', key: gift.id } as const
  return sendNotice(trx, sendMail, notice, (to, site) => giftReceiptMail(to, site, gift, code))
}

/** Ends the gifts whose payment was refunded in full by one of these refunds. */
export async function endRefundedGifts(
  trx: Transaction,
  refunds: readonly RefundFact[],
  now: Date,
): Promise<void> {
  const charges = refunds.map(({ charge_id }) => charge_id)
  const paid = await trx.query
    .selectFrom('stripe_refunds')
    .select('payment_intent')
    .distinct()
    .where('id', 'in', charges)
    .where('is_simulated', '=', false)
    .execute()
  for (const { payment_intent } of paid) {
    if (payment_intent !== null) await settleGift(trx, payment_intent, now)
  }
}

/** Ends a gift that was refunded in full. A partial refund revokes nothing. */
async function settleGift(trx: Transaction, paymentIntent: string, now: Date): Promise<void> {
  const gift = await trx.query
    .selectFrom('gifts')
    .selectAll()
    .where('payment_intent', '=', paymentIntent)
    .where('refunded_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!gift || (await readRemainingAmount(trx, paymentIntent)) > 0) return
  await trx.query
    .updateTable('gifts')
    .set({ refunded_at: now.toISOString() })
    .where('id', '=', gift.id)
    .execute()
  const { id, redeemed_by: user_id, plan_from, plan_to } = gift
  if (user_id === null || plan_from === null || plan_to === null) return
  const reason = 'the gift was refunded'
  await revokeMonths(trx, now, { user_id, plan_from, plan_to, source: { gift: id }, reason })
}

async function readRemainingAmount(trx: Transaction, paymentIntent: string): Promise<number> {
  const { left } = await trx.query
    .selectFrom('payments as p')
    .select(
      sql<number>`(p.amount_cents + coalesce((
        select sum(r.amount_cents) from payments r where r.refund_of = p.id), 0))::bigint`.as(
        'left',
      ),
    )
    .where('p.stripe_payment_intent', '=', paymentIntent)
    .where('p.is_simulated', '=', false)
    .executeTakeFirstOrThrow()
  return left
}
