// Reads the owner's Stripe settings. They are read from the database each time, because events and purchases are rare
// and the secret should not stay in memory.
import type { PaidPlan } from '#contract/billing.ts'
import type { TaxMode } from '#contract/admin/admin-settings.ts'
import type { Database } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'

export interface StripeSettings {
  /**
   * Stripe's price id of each plan. Empty if not set. `known` maps all price ids, including earlier ones, to their
   * plan.
   */
  prices: Record<PaidPlan, string> & { known?: ReadonlyMap<string, PaidPlan> }
  /** ISO 4217, lower case. */
  currency: string
  tax_mode: TaxMode
  amounts_cents: Record<PaidPlan, number>
  /** 0 if there is no trial. */
  trial_days: Record<PaidPlan, number>
  trial_needs_card: boolean
  grace_days: number
  /** 0 percent if there is no retention offer. */
  retention: { percent: number; months: number }
  /** Empty if not set. */
  webhook_secret: string
  /** This number increases when the Stripe account changes. See `requireAccount`. */
  account_number: number
}

export async function readStripeSettings(
  db: Database,
  secretBox: SecretBox,
): Promise<StripeSettings> {
  const row = await db.query
    .selectFrom('settings')
    .innerJoin('stripe_connection', 'stripe_connection.id', 'settings.id')
    .select([
      'currency',
      'tax_mode',
      'pricing_monthly_cents',
      'pricing_yearly_cents',
      'stripe_price_monthly',
      'stripe_price_yearly',
      'stripe_webhook_secret',
      'trial_days_monthly',
      'trial_days_yearly',
      'trial_needs_card',
      'grace_days',
      'retention_percent',
      'retention_months',
      'account_number',
    ])
    .where('settings.id', '=', 1)
    .executeTakeFirstOrThrow()
  const known = await db.query.selectFrom('known_prices').select(['price_id', 'plan']).execute()
  return {
    prices: {
      monthly: row.stripe_price_monthly,
      yearly: row.stripe_price_yearly,
      known: new Map(known.map(({ price_id, plan }) => [price_id, plan])),
    },
    currency: row.currency,
    tax_mode: row.tax_mode,
    amounts_cents: { monthly: row.pricing_monthly_cents, yearly: row.pricing_yearly_cents },
    trial_days: { monthly: row.trial_days_monthly, yearly: row.trial_days_yearly },
    trial_needs_card: row.trial_needs_card,
    grace_days: row.grace_days,
    retention: { percent: row.retention_percent, months: row.retention_months },
    webhook_secret: secretBox.open(row.stripe_webhook_secret) ?? '',
    account_number: row.account_number,
  }
}
