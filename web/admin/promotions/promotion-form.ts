// Form state of a promotion code, with validation and request body.
import { parseAmount } from '#contract/currencies.ts'
import type { createPromotionCode } from '#contract/admin/money/admin-promotions.ts'
import type { PaidPlan } from '#contract/billing.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { defaultCurrency } from '#contract/plans.ts'
import type { PromotionDuration } from '#contract/promotions.ts'

/** Numbers are strings, as typed. */
export interface PromotionForm {
  code: string
  kind: 'percent' | 'amount'
  off: string
  duration: PromotionDuration
  months: string
  max_uses: string
  /** A day such as `2026-11-21`, or empty. */
  expires_at: string
  plan: PaidPlan | ''
  is_first_time_only: boolean
}

export const emptyPromotion: PromotionForm = {
  code: '',
  kind: 'percent',
  off: '',
  duration: 'once',
  months: '3',
  max_uses: '',
  expires_at: '',
  plan: '',
  is_first_time_only: false,
}

export const promotionLabels: Record<keyof PromotionForm, string> = {
  code: 'Code',
  kind: 'Discount type',
  off: 'Percent or amount',
  duration: 'Of',
  months: 'Months',
  max_uses: 'Usage limit',
  expires_at: 'Last day',
  plan: 'Plan',
  is_first_time_only: 'New members only',
}

type Body = CallInput<typeof createPromotionCode>['body']
type Problems = Partial<Record<keyof PromotionForm, string>>

/** Returns the request body, or the validation errors. */
export function promotionOfForm(
  form: PromotionForm,
  currency = defaultCurrency,
): { body: Body | null; problems: Problems } {
  const problems: Problems = {}
  const code = form.code.trim()
  if (!/^[A-Z0-9]{3,40}$/.test(code)) problems.code = 'A code has 3 to 40 letters and digits.'
  const off = parseDiscount(form, currency)
  if (off === null) {
    problems.off =
      form.kind === 'percent'
        ? 'Please enter a number from 1 to 100.'
        : 'Please enter an amount, such as 5.00.'
  }
  const months = wholeNumber(form.months, 36)
  if (form.duration === 'repeating' && months === null) {
    problems.months = 'Please enter 1 to 36 months.'
  }
  const max_uses = form.max_uses.trim() === '' ? null : wholeNumber(form.max_uses, 1_000_000)
  if (form.max_uses.trim() !== '' && max_uses === null) {
    problems.max_uses = 'Please enter a whole number.'
  }
  if (off === null || Object.keys(problems).length > 0) return { body: null, problems }
  const duration: Body['duration'] =
    form.duration === 'repeating'
      ? { kind: 'repeating', months: months ?? 1 }
      : { kind: form.duration }
  return {
    body: {
      code,
      off,
      duration,
      max_uses,
      expires_at: form.expires_at || null,
      is_first_time_only: form.is_first_time_only,
      plan: form.plan || null,
    },
    problems,
  }
}

function parseDiscount({ kind, off }: PromotionForm, currency: string): Body['off'] | null {
  if (kind === 'amount') {
    const cents = parseAmount(off, currency)
    return cents === null ? null : { kind, amount_off_cents: cents }
  }
  const percent = Number(off.trim().replace(',', '.').replace('%', ''))
  return percent >= 1 && percent <= 100 ? { kind, percent_off: percent } : null
}

function wholeNumber(text: string, most: number): number | null {
  const number = Number(text.trim())
  return Number.isInteger(number) && number >= 1 && number <= most ? number : null
}
