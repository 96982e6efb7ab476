// Instead of a screen that the role may not open. Nothing of that screen is loaded.
import { IconLock } from '#web/base/ui/icons/icons.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { officeLink } from '../../base/navigation/navigation-links.ts'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'

const owners = { editor: 'an editor', admin: 'an admin' }

export interface ForbiddenScreenProps {
  role: string
  /** Who may open it. */
  access: keyof typeof owners
}

export function ForbiddenScreen({ role, access }: ForbiddenScreenProps) {
  const start = officeLink(role)
  return (
    <EmptyState
      icon={<IconLock />}
      title="This screen is not part of your role"
      message={`Ask ${owners[access]} of this service if you need something from it.`}
      action={
        start && (
          <ButtonLink to={start.to} variant="primary">
            Go to {start.label}
          </ButtonLink>
        )
      }
    />
  )
}
