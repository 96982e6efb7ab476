// The tier and status that each quick action sets.
import type { Subscription } from '#contract/admin/admin-billing.ts'
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'

export interface QuickAction {
  label: string
  tier: Tier
  status: SubscriptionStatus
  /** What the action does to a subscription billed by Stripe. Shown in the confirmation. */
  stripeNote?: string
}

/** Activating keeps a paid tier and changes free to monthly. Deactivating keeps the tier. */
export function getQuickActions({ tier }: Pick<Subscription, 'tier'>): QuickAction[] {
  return [
    { label: 'Upgrade to Premium', tier: 'monthly', status: 'active' },
    {
      label: 'Downgrade to Free',
      tier: 'free',
      status: 'inactive',
      stripeNote:
        'their Stripe subscription is canceled, and Premium ends now. Past payments are not refunded.',
    },
    { label: 'Activate', tier: tier === 'free' ? 'monthly' : tier, status: 'active' },
    {
      label: 'Deactivate',
      tier,
      status: 'inactive',
      stripeNote:
        'Premium ends now, and Stripe makes no further charges until you activate it again.',
    },
  ]
}
