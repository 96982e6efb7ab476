// The ledger of money that came in, for revenue. Rows are added, never changed.
import type { Tier } from '#contract/plans.ts'
import type { Transaction } from '../db/database.ts'

export interface StripePayment {
  user_id: string | null
  amount_cents: number
  /** ISO 4217, lower case. */
  currency: string
  tier: Tier | null
  stripe_invoice_id: string
  is_simulated: boolean
  paid_at: string
}

/** False when this invoice is in the ledger already. */
export async function recordStripePayment(
  trx: Transaction,
  payment: StripePayment,
): Promise<boolean> {
  const row = await trx.query
    .insertInto('payments')
    .values({ ...payment, payment_method: 'stripe' })
    .onConflict((conflict) => conflict.columns(['stripe_invoice_id', 'is_simulated']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
