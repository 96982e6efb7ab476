// Turns two-factor authentication on in three steps: password, code of the app, recovery codes. It is active as soon as
// the first code was correct.
import { useId, useState } from 'react'
import { enableTwoFactor } from '#contract/auth.ts'
import { call } from '../../base/api/api.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { PasswordForm, usePasswordMutation } from './password-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import type { TwoFactorDialogProps } from './two-factor-off-dialog.tsx'
import { useVerifyFirstCode, VerifyCodeForm } from './verify-code-form.tsx'

interface Enrolment {
  totpURI: string
  backupCodes: string[]
  isVerified: boolean
}

export function TwoFactorOnDialog({ open, onClose }: TwoFactorDialogProps) {
  const formId = useId()
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const enabling = usePasswordMutation(
    (password) => call(enableTwoFactor, { body: { password } }),
    (started) => setEnrolment({ ...started, isVerified: false }),
  )
  const verifying = useVerifyFirstCode(
    () => enrolment && setEnrolment({ ...enrolment, isVerified: true }),
  )

  if (!enrolment) {
    return (
      <Dialog
        open={open}
        onClose={onClose}
        size="small"
        title="Two-factor authentication"
        description="First, confirm that it is you. You need an authenticator app on your phone for the next step."
        footer={
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={formId} variant="primary" busy={enabling.isPending}>
              Continue
            </Button>
          </>
        }
      >
        <PasswordForm id={formId} acting={enabling} />
      </Dialog>
    )
  }
  if (!enrolment.isVerified) {
    return (
      <Dialog
        open={open}
        onClose={onClose}
        title="Scan this code"
        description="Open your authenticator app, scan the picture, and enter the six digits that it shows."
        footer={
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form={formId} variant="primary" busy={verifying.isPending}>
              Turn On
            </Button>
          </>
        }
      >
        <VerifyCodeForm id={formId} totpUri={enrolment.totpURI} verifying={verifying} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Two-factor authentication is on"
      footer={
        <Button variant="primary" onClick={onClose}>
          I Have Saved Them
        </Button>
      }
    >
      <RecoveryCodes codes={enrolment.backupCodes} />
    </Dialog>
  )
}
