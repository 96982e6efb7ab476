// Turns two-factor authentication off.
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { disableTwoFactor } from '#contract/auth.ts'
import { call } from '../../base/api/api.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { PasswordForm, usePasswordMutation } from './password-form.tsx'
import { changeSecondFactor } from './session-queries.ts'

export interface TwoFactorDialogProps {
  open: boolean
  onClose: () => void
}

export function TwoFactorOffDialog({ open, onClose }: TwoFactorDialogProps) {
  const formId = useId()
  const queryClient = useQueryClient()
  const disabling = usePasswordMutation(
    (password) =>
      changeSecondFactor(queryClient, () => call(disableTwoFactor, { body: { password } })),
    () => {
      onClose()
      showToast({ title: 'Two-factor authentication is off' })
    },
  )
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="small"
      title="Turn off two-factor authentication?"
      description="Your password alone will be enough to sign in, and your recovery codes stop working."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="danger" busy={disabling.isPending}>
            Turn Off
          </Button>
        </>
      }
    >
      <PasswordForm id={formId} acting={disabling} />
    </Dialog>
  )
}
