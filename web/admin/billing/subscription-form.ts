// Form state for manual subscriptions, with validation and request body.
import { formatAmount, parseAmount } from '#contract/currencies.ts'
import type { PlanPrices } from '../people/billing-queries.ts'
import type { runBillingAction, Subscription } from '#contract/admin/admin-billing.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { defaultCurrency } from '#contract/plans.ts'
import type { paymentMethods, SubscriptionStatus, Tier } from '#contract/plans.ts'

type PaymentMethod = (typeof paymentMethods)[number]

export interface SubscriptionForm {
  user_id: string
  tier: Tier
  status: SubscriptionStatus
  payment_method: PaymentMethod
  notes: string
  /** `2026-11-21`, or empty. */
  start_date: string
  end_date: string
  /** `9.99`. Empty if nothing was paid, or if the payment is already in the ledger. Null to use the plan price. */
  amount: string | null
}

/** Returns the typed amount, or the plan price if nothing was typed. Empty for plans without a price. */
export function getAmountText(
  { amount, tier }: SubscriptionForm,
  prices: PlanPrices | undefined,
): string {
  if (amount !== null) return amount
  const cents =
    tier === 'yearly'
      ? prices?.yearly
      : tier === 'monthly' || tier === 'premium'
        ? prices?.monthly
        : 0
  return cents && prices ? formatAmount(cents, prices.currency) : ''
}

export function emptySubscriptionForm(userId: string): SubscriptionForm {
  return {
    user_id: userId,
    tier: 'premium',
    status: 'active',
    payment_method: 'cash',
    notes: '',
    start_date: '',
    end_date: '',
    amount: null,
  }
}

export function formOfSubscription(row: Subscription): SubscriptionForm {
  const { payment_method } = row
  return {
    user_id: row.user_id,
    tier: row.tier,
    status: row.status,
    payment_method:
      payment_method === null || payment_method === 'stripe' ? 'other' : payment_method,
    notes: row.notes ?? '',
    start_date: row.start_date?.slice(0, 10) ?? '',
    end_date: row.renewal_date?.slice(0, 10) ?? '',
    amount: '',
  }
}

export function isUserId(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

/** Validation errors, by field. */
export interface SubscriptionProblems {
  user_id?: string
  end_date?: string
  amount?: string
}

export function findSubscriptionProblems(
  form: SubscriptionForm,
  now: Date,
  currency = defaultCurrency,
): SubscriptionProblems {
  const { user_id, status, start_date, end_date, amount } = form
  if (!user_id.trim()) return { user_id: 'User ID is required' }
  if (!isUserId(user_id.trim())) {
    return { user_id: 'Please select a person from the list, or paste a complete user ID.' }
  }
  if (start_date && end_date && end_date < start_date) {
    return { end_date: 'The end date is before the start date.' }
  }
  // The form of an expired plan still contains its old end date. If the plan were reactivated with that date, it would
  // expire again within a minute.
  if (status === 'active' && end_date && end_date < now.toISOString().slice(0, 10)) {
    return { end_date: 'The end date has passed.' }
  }
  if (amount?.trim() && parseAmount(amount, currency) === null) {
    return { amount: 'Please enter an amount, such as 9.99.' }
  }
  return {}
}

/** Optional fields are sent only if filled in. An update can also clear the note or the end date. */
export function toManualBody(
  form: SubscriptionForm,
  { isEditing, currency = defaultCurrency }: { isEditing: boolean; currency?: string },
): CallInput<typeof runBillingAction>['body'] {
  const { user_id, tier, status, payment_method, notes, start_date, end_date } = form
  const amount_cents = parseAmount(form.amount ?? '', currency)
  return {
    action: 'manual_update_subscription',
    user_id: user_id.trim(),
    tier,
    status,
    payment_method,
    ...((notes.trim() || isEditing) && { notes: notes.trim() }),
    ...(start_date && { start_date }),
    ...((end_date || isEditing) && { end_date: end_date || null }),
    ...(amount_cents !== null && { amount_cents }),
  }
}
