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
  /** A day such as `2026-11-21`, or empty. */
  start_date: string
  end_date: string
  /**
   * The amount, such as `9.99`. Empty if nothing was paid or the payment is already in the ledger. Null until something
   * is typed: the plan's price then applies.
   */
  amount: string | null
}

/**
 * Returns the text of the amount field: what was typed, otherwise the plan's price. Empty for plans without a price.
 */
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
  // The form of an expired plan still has its old end date. A plan reactivated with that date would expire within a
  // minute.
  if (status === 'active' && end_date && end_date < now.toISOString().slice(0, 10)) {
    return { end_date: 'The end date has passed.' }
  }
  if (amount?.trim() && parseAmount(amount, currency) === null) {
    return { amount: 'Please enter an amount, such as 9.99.' }
  }
  return {}
}

/**
 * Returns the request body. Optional fields are included only when filled in. An update can also clear the note and the
 * end date.
 */
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
