// Badges for the plan of a message's sender and for the state of the message.
import type { SupportPriority } from '#contract/admin/service/admin-support.ts'
import type { SupportState } from '#contract/support.ts'
import { Badge } from '../../base/ui/display/badge.tsx'

const priorities = {
  yearly: ['gold', 'Yearly'],
  premium: ['info', 'Premium'],
  free: ['neutral', 'Free'],
} as const

export function PriorityBadge({ priority }: { priority: SupportPriority }) {
  const [tone, label] = priorities[priority]
  return <Badge tone={tone}>{label}</Badge>
}

export const stateLabels: Record<SupportState, string> = {
  open: 'Open',
  answered: 'Answered',
  closed: 'Closed',
}

export function SupportStateBadge({ state }: { state: SupportState }) {
  return <Badge tone={state === 'open' ? 'warning' : 'neutral'}>{stateLabels[state]}</Badge>
}
