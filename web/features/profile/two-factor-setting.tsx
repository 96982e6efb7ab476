// Two-factor authentication: on or off, and new recovery codes. Every change requires the password.
import { IconMailForward, IconRefresh } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import type { Profile } from '#contract/profiles.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { NewRecoveryCodesDialog } from './new-recovery-codes-dialog.tsx'
import { useSendConfirmation } from './profile-queries.ts'
import { TwoFactorOffDialog } from './two-factor-off-dialog.tsx'
import { TwoFactorOnDialog } from './two-factor-on-dialog.tsx'
import styles from './two-factor-setting.module.css'

export function TwoFactorSetting({ profile }: { profile: Profile }) {
  const isOn = profile.two_factor_enabled
  const needsAddress = !isOn && !profile.email_verified
  const confirming = useSendConfirmation()
  const [dialog, setDialog] = useState<'on' | 'off' | 'codes' | null>(null)
  // Mount a new dialog for each opening, so that it starts at the first step even while the previous one is closing.
  const [visit, setVisit] = useState(0)
  const close = () => setDialog(null)
  const open = (name: 'on' | 'off' | 'codes') => {
    setVisit(visit + 1)
    setDialog(name)
  }
  return (
    <div>
      <Switch
        label="Two-factor authentication"
        hint={
          needsAddress
            ? 'Confirm your email address first. We can send you a link.'
            : isOn
              ? 'On. Signing in requires a code from your authenticator app.'
              : 'Requires a code from an authenticator app in addition to your password.'
        }
        checked={isOn}
        disabled={needsAddress}
        onChange={() => open(isOn ? 'off' : 'on')}
      />
      {needsAddress && (
        <div className={styles.codes}>
          <Button
            size="small"
            icon={<IconMailForward />}
            busy={confirming.isPending}
            onClick={() => confirming.mutate()}
          >
            Send Confirmation Link
          </Button>
        </div>
      )}
      {isOn && (
        <div className={styles.codes}>
          <Button size="small" icon={<IconRefresh />} onClick={() => open('codes')}>
            New Recovery Codes
          </Button>
        </div>
      )}
      <TwoFactorOnDialog key={`on-${visit}`} open={dialog === 'on'} onClose={close} />
      <TwoFactorOffDialog key={`off-${visit}`} open={dialog === 'off'} onClose={close} />
      <NewRecoveryCodesDialog key={`codes-${visit}`} open={dialog === 'codes'} onClose={close} />
    </div>
  )
}
