// The quick actions in a row of the subscription list, each with the tier and status that it sets.
import type { Subscription } from '#contract/admin/admin-billing.ts'
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'

export interface QuickAction {
  label: string
  tier: Tier
  status: SubscriptionStatus
  /** Shown in the confirmation: what happens at Stripe, if Stripe bills the subscription. */
  stripeNote?: string
}

/**
 * Returns the actions for a subscription. Activate keeps a paid tier and changes free to monthly. Deactivate keeps the
 * tier.
 */
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
