// Replaces every screen of the back office until the admin has set up the second factor that the settings require.
import { IconMailForward, IconShieldLock } from '#web/base/ui/icons/icons.ts'
import { useLocation } from 'react-router'
import type { Profile } from '#contract/profiles.ts'
import screen from '../../base/navigation/screen-error.module.css'
import { useSendConfirmation } from './profile-queries.ts'
import { TwoFactorOnDialog } from './two-factor-on-dialog.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'

export interface SecondFactorPageProps {
  profile: Profile
  isSettingUp: boolean
  onSettingUp: (isSettingUp: boolean) => void
}

export function SecondFactorPage({ profile, isSettingUp, onSettingUp }: SecondFactorPageProps) {
  const { pathname, search } = useLocation()
  const confirming = useSendConfirmation(`${pathname}${search}`)
  return (
    <div className={screen.screen}>
      {profile.email_verified ? (
        <EmptyState
          icon={<IconShieldLock />}
          isScreenHeading
          title="Admins need two-factor authentication"
          message="Signing in to this back office requires a code from an authenticator app in addition to the password. After setting it up you return to this screen."
          action={
            <Button variant="primary" onClick={() => onSettingUp(true)}>
              Set Up Two-Factor
            </Button>
          }
        />
      ) : (
        <EmptyState
          icon={<IconShieldLock />}
          isScreenHeading
          title="Admins need two-factor authentication"
          message="Signing in to this back office requires a code from an authenticator app in addition to the password. Before you set it up, confirm your email address with a link that we send you."
          action={
            <Button
              variant="primary"
              icon={<IconMailForward />}
              busy={confirming.isPending}
              onClick={() => confirming.mutate()}
            >
              Send Confirmation Link
            </Button>
          }
        />
      )}
      <TwoFactorOnDialog open={isSettingUp} onClose={() => onSettingUp(false)} />
    </div>
  )
}
