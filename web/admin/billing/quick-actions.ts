// The tier and status that each quick action gives a subscription.
import type { Subscription } from '#contract/admin/admin-billing.ts'
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'

export interface QuickAction {
  label: string
  tier: Tier
  status: SubscriptionStatus
  /** The effect on a subscription that Stripe bills, for the confirmation. */
  stripeNote?: string
}

/** Activating keeps a paid tier and turns free into monthly. Deactivating keeps the tier. */
export function quickActions({ tier }: Pick<Subscription, 'tier'>): QuickAction[] {
  return [
    { label: 'Upgrade to Premium', tier: 'monthly', status: 'active' },
    {
      label: 'Downgrade to Free',
      tier: 'free',
      status: 'inactive',
      stripeNote:
        'their subscription at Stripe is canceled and Premium ends now. What they paid is not refunded by this.',
    },
    { label: 'Activate', tier: tier === 'free' ? 'monthly' : tier, status: 'active' },
    {
      label: 'Deactivate',
      tier,
      status: 'inactive',
      stripeNote: 'Premium ends now and Stripe charges nothing more until you activate it again.',
    },
  ]
}
