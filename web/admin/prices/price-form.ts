// Form state of the Premium prices, with validation and request body.
import { minNoticeDays, type Prices } from '#contract/admin/money/admin-prices.ts'
import { formatAmount, parseAmount } from '#contract/currencies.ts'
import type { PricesBody } from './price-queries.ts'

/** Amounts as typed in the form. */
export interface PriceForm {
  currency: string
  monthly: string
  yearly: string
  who: 'new' | 'everyone'
  /** The day from which existing subscribers pay the new prices, such as `2026-12-31`. */
  effective_on: string
}

export type PriceProblems = Partial<Record<keyof PriceForm, string>>

const dayMs = 24 * 3600 * 1000

export function firstEffectiveDay(now: Date): string {
  return new Date(now.getTime() + minNoticeDays * dayMs).toISOString().slice(0, 10)
}

export function formOfPrices(prices: Prices, now: Date): PriceForm {
  const { currency, monthly_cents, yearly_cents } = prices
  return {
    currency,
    monthly: formatAmount(monthly_cents, currency),
    yearly: formatAmount(yearly_cents, currency),
    who: 'new',
    effective_on: firstEffectiveDay(now),
  }
}

/** Returns the request body, or the validation errors. */
export function pricesOfForm(
  form: PriceForm,
  now: Date,
): { body: PricesBody | null; problems: PriceProblems } {
  const { currency, who, effective_on } = form
  const monthly_cents = parseAmount(form.monthly, currency)
  const yearly_cents = parseAmount(form.yearly, currency)
  const example = formatAmount(1_000_000, currency)
  const wrong = `Please enter a valid amount in ${currency.toUpperCase()}, such as ${example}.`
  const problems: PriceProblems = {
    ...(monthly_cents === null && { monthly: wrong }),
    ...(yearly_cents === null && { yearly: wrong }),
    ...(who === 'everyone' &&
      effective_on < firstEffectiveDay(now) && {
        effective_on: `Members need at least ${minNoticeDays} days’ notice.`,
      }),
  }
  if (monthly_cents === null || yearly_cents === null || Object.keys(problems).length > 0) {
    return { body: null, problems }
  }
  const day = who === 'everyone' ? effective_on : null
  return { body: { currency, monthly_cents, yearly_cents, effective_on: day }, problems }
}
