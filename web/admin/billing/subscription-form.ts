// What the dialog of a manual subscription holds, and what is sent.
import type { runBillingAction, Subscription } from '#contract/admin-billing.ts'
import type { CallInput } from '#contract/endpoint.ts'
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
  }
}

/** What is wrong with it; by field. */
export function findSubscriptionProblems(form: SubscriptionForm): {
  user_id?: string
  end_date?: string
} {
  const { user_id, start_date, end_date } = form
  if (!user_id.trim()) return { user_id: 'User ID is required' }
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(user_id.trim())) {
    return { user_id: 'Please enter a whole user ID.' }
  }
  if (start_date && end_date && end_date < start_date) {
    return { end_date: 'The end date is before the start date.' }
  }
  return {}
}

/** Optional fields only where they are filled; an edited note may become empty. */
export function manualBody(
  form: SubscriptionForm,
  { isEditing }: { isEditing: boolean },
): CallInput<typeof runBillingAction>['body'] {
  const { user_id, tier, status, payment_method, notes, start_date, end_date } = form
  return {
    action: 'manual_update_subscription',
    user_id: user_id.trim(),
    tier,
    status,
    payment_method,
    ...((notes.trim() || isEditing) && { notes: notes.trim() }),
    ...(start_date && { start_date }),
    ...(end_date && { end_date }),
  }
}
