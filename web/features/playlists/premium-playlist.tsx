// Replaces the tracks of a curated playlist that only Premium members may play.
import type { Restriction } from '#contract/fields/availability.ts'
import { getRestrictionText } from '../../base/format/format-restriction.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { IconCrown } from '#web/base/ui/icons/icons.ts'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'

export function PremiumPlaylist({ restriction }: { restriction: Restriction }) {
  return (
    <EmptyState
      icon={<IconCrown />}
      title={
        restriction.reason === 'premium_only'
          ? 'A playlist for Premium'
          : 'Early access for Premium'
      }
      message={getRestrictionText(restriction)}
      action={
        <ButtonLink to="/subscribe" variant="primary">
          Upgrade to Premium
        </ButtonLink>
      }
    />
  )
}
