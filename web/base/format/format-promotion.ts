// Describes the discount of a promotion code.
import type { Promotion } from '#contract/promotions.ts'
import { formatMoney } from '#contract/currencies.ts'

/** Returns a text such as '25% off the first payment'. */
export function formatPromotion(promotion: Promotion): string {
  const { percent_off, amount_off_cents, currency, duration, duration_months } = promotion
  const off =
    percent_off === null ? formatMoney(amount_off_cents ?? 0, currency ?? 'usd') : `${percent_off}%`
  if (duration === 'once') return `${off} off the first payment`
  if (duration === 'forever') return `${off} off every payment`
  return `${off} off for ${duration_months === 1 ? '1 month' : `${duration_months} months`}`
}
