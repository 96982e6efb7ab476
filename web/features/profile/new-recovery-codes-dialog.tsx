// Replaces the recovery codes with new ones.
import { useId, useState } from 'react'
import { generateBackupCodes } from '#contract/auth.ts'
import { call } from '../../base/api/api.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { PasswordForm, usePasswordMutation } from './password-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import type { TwoFactorDialogProps } from './two-factor-off-dialog.tsx'

export function NewRecoveryCodesDialog({ open, onClose }: TwoFactorDialogProps) {
  const formId = useId()
  const [codes, setCodes] = useState<string[]>()
  const generating = usePasswordMutation(
    (password) => call(generateBackupCodes, { body: { password } }),
    ({ backupCodes }) => setCodes(backupCodes),
  )

  if (codes) {
    return (
      <Dialog
        open={open}
        onClose={onClose}
        title="Your new recovery codes"
        footer={
          <Button variant="primary" onClick={onClose}>
            I Have Saved Them
          </Button>
        }
      >
        <RecoveryCodes codes={codes} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="small"
      title="New recovery codes"
      description="You get ten new codes. Your current ones stop working."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={generating.isPending}>
            Create New Codes
          </Button>
        </>
      }
    >
      <PasswordForm id={formId} acting={generating} />
    </Dialog>
  )
}
