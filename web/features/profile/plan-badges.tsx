// Badges for a member's tier and its status. Lifetime and comped tiers have another color than recurring ones.
import { IconCrown, IconGift, IconInfinity } from '#web/base/ui/icons/icons.ts'
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'
import { Badge, type BadgeProps } from '../../base/ui/display/badge.tsx'

type Look = Omit<BadgeProps, 'children'> & { label: string }

const tierLooks: Record<Tier, Look> = {
  free: { label: 'Free', tone: 'neutral' },
  monthly: { label: 'Monthly', tone: 'accent', icon: <IconCrown /> },
  yearly: { label: 'Yearly', tone: 'accent', icon: <IconCrown /> },
  premium: { label: 'Premium', tone: 'accent', icon: <IconCrown /> },
  lifetime: { label: 'Lifetime', tone: 'gold', icon: <IconInfinity /> },
  comped: { label: 'Comped', tone: 'info', icon: <IconGift /> },
}

const statusLooks: Record<SubscriptionStatus, Look> = {
  active: { label: 'Active', tone: 'success' },
  inactive: { label: 'Inactive', tone: 'neutral' },
  pending: { label: 'Pending', tone: 'warning' },
  canceled: { label: 'Canceled', tone: 'danger' },
  trialing: { label: 'Trialing', tone: 'info' },
}

export function PlanBadge({ tier }: { tier: Tier }) {
  const { label, ...look } = tierLooks[tier]
  return <Badge {...look}>{label}</Badge>
}

export function PlanStatusBadge({ status }: { status: SubscriptionStatus }) {
  const { label, ...look } = statusLooks[status]
  return <Badge {...look}>{label}</Badge>
}
