// The owner's Stripe settings. Read from the database each time: events and purchases are rare, and the secret is not
// kept in memory.
import type { PaidPlan } from '#contract/billing.ts'
import type { Database } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'

export interface StripeSettings {
  /** Stripe's price ids; empty if not set. */
  prices: Record<PaidPlan, string>
  amounts_cents: Record<PaidPlan, number>
  /** Empty if not set. */
  webhook_secret: string
}

export async function readStripeSettings(
  db: Database,
  secretBox: SecretBox,
): Promise<StripeSettings> {
  const row = await db.query
    .selectFrom('settings')
    .select([
      'pricing_monthly_cents',
      'pricing_yearly_cents',
      'stripe_price_monthly',
      'stripe_price_yearly',
      'stripe_webhook_secret',
    ])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return {
    prices: { monthly: row.stripe_price_monthly, yearly: row.stripe_price_yearly },
    amounts_cents: { monthly: row.pricing_monthly_cents, yearly: row.pricing_yearly_cents },
    webhook_secret: secretBox.open(row.stripe_webhook_secret) ?? '',
  }
}
