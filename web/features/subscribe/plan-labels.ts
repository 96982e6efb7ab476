// The features of each plan, with the specification's wording.
import { formatMoney } from '#contract/currencies.ts'
import type { Plan } from '#contract/billing.ts'

export const monthlyFeatures = [
  'Unlimited streaming',
  'High quality audio',
  'Download for offline listening',
  'Ad-free experience',
  'Access to all playlists',
]

export const yearlyFeatures = [
  'Everything in Monthly',
  '2 months free',
  'Priority support',
  'Early access to new features',
  'Exclusive content',
]

/** Formats a price as '$9.99'. */
export function formatPrice({ price_cents, currency }: Plan): string {
  return formatMoney(price_cents, currency)
}

/** Returns a text such as '7 days free, then $9.99 per month.' Null if there is no trial. */
export function formatTrial(plan: Plan, period: string, needsCard: boolean): string | null {
  const { trial_days } = plan
  if (trial_days === 0) return null
  const days = trial_days === 1 ? '1 day' : `${trial_days} days`
  return `${days} free, then ${formatPrice(plan)} ${period}.${needsCard ? '' : ' No card needed.'}`
}

/** Savings of the yearly plan over twelve monthly payments, in whole percent. Null if there are none. */
export function yearlySavingPercent(monthly: Plan, yearly: Plan): number | null {
  const twelveMonths = monthly.price_cents * 12
  if (twelveMonths === 0) return null
  const percent = Math.round((1 - yearly.price_cents / twelveMonths) * 100)
  return percent > 0 ? percent : null
}
