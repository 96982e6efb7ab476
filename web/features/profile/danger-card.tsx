// Danger Zone: requests the deletion of the account, which an admin then carries out.
import { useMutation } from '@tanstack/react-query'
import { IconTrash } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { requestAccountDeletion } from '#contract/profiles.ts'
import { call } from '../../base/api/api.ts'
import { showError } from '../../base/api/show-error.ts'
import { useSite } from '../../base/session/site.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import styles from './danger-card.module.css'

export function DangerCard() {
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const { contact_email } = useSite()
  const requesting = useMutation({
    mutationFn: () => call(requestAccountDeletion, {}),
    onSuccess() {
      setConfirmOpen(false)
      showToast({
        title: 'Account deletion requested',
        message: 'Please contact support to complete account deletion.',
      })
    },
    onError: (error) => showError(error),
  })
  return (
    <div className={styles.zone}>
      <Card
        title="Danger Zone"
        description="Deleting your account also deletes your playlists, likes and history."
        actions={
          <Button variant="danger" icon={<IconTrash />} onClick={() => setConfirmOpen(true)}>
            Delete Account
          </Button>
        }
      >
        {contact_email && (
          <p className={styles.contact}>
            Support: <a href={`mailto:${contact_email}`}>{contact_email}</a>
          </p>
        )}
      </Card>
      <ConfirmDialog
        open={isConfirmOpen}
        title="Delete your account?"
        message="Your playlists, likes and listening history will be permanently deleted. This action cannot be undone."
        confirmLabel="Delete Account"
        busy={requesting.isPending}
        onConfirm={() => requesting.mutate()}
        onCancel={() => setConfirmOpen(false)}
      />
    </div>
  )
}
