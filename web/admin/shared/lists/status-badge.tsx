// Badges for a subscription's status and tier.
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'
import { Badge, type BadgeProps } from '../../../base/ui/display/badge.tsx'
import { titleCase } from '../format/title-case.ts'

const statusTones: Record<SubscriptionStatus, BadgeProps['tone']> = {
  active: 'success',
  inactive: 'neutral',
  pending: 'warning',
  canceled: 'danger',
  trialing: 'info',
}

const tierTones: Record<Tier, BadgeProps['tone']> = {
  free: 'neutral',
  monthly: 'accent',
  yearly: 'accent',
  premium: 'accent',
  lifetime: 'gold',
  comped: 'info',
}

export function StatusBadge({ status }: { status: SubscriptionStatus }) {
  return <Badge tone={statusTones[status]}>{titleCase(status)}</Badge>
}

export function TierBadge({ tier }: { tier: Tier }) {
  return <Badge tone={tierTones[tier]}>{titleCase(tier)}</Badge>
}
