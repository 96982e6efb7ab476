// Shown instead of a screen that the user's role has no access to. None of that screen's code or data is loaded.
import { IconLock } from '#web/base/ui/icons/icons.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { officeLink } from '../../base/navigation/navigation-links.ts'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'

const owners = { editor: 'an editor', admin: 'an admin' }

export interface ForbiddenScreenProps {
  role: string
  /** The lowest role that has access to the screen. */
  access: keyof typeof owners
}

export function ForbiddenScreen({ role, access }: ForbiddenScreenProps) {
  const start = officeLink(role)
  return (
    <EmptyState
      icon={<IconLock />}
      title="You don’t have access to this screen"
      message={`If you need something from it, ask ${owners[access]} of this service.`}
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
