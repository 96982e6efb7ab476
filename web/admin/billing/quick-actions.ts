// What the quick actions of a subscription make of its tier and status.
import type { Subscription } from '#contract/admin-billing.ts'
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'

export interface QuickAction {
  label: string
  tier: Tier
  status: SubscriptionStatus
}

/** Activating keeps the tier, or takes monthly where there is none; deactivating keeps it. */
export function quickActions({ tier }: Pick<Subscription, 'tier'>): QuickAction[] {
  return [
    { label: 'Upgrade to Premium', tier: 'monthly', status: 'active' },
    { label: 'Downgrade to Free', tier: 'free', status: 'inactive' },
    { label: 'Activate', tier: tier === 'free' ? 'monthly' : tier, status: 'active' },
    { label: 'Deactivate', tier, status: 'inactive' },
  ]
}
