// Danger Zone: requests the deletion of the account, which an admin then carries out.
import { useMutation } from '@tanstack/react-query'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { requestAccountDeletion } from '#contract/profiles.ts'
import { call } from '../app/api.ts'
import { showError } from '../app/show-error.ts'
import { useSite } from '../app/site.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { showToast } from '../ui/toast-store.ts'
import styles from './danger-card.module.css'

export function DangerCard() {
  const [isAsking, setAsking] = useState(false)
  const { contact_email } = useSite()
  const requesting = useMutation({
    mutationFn: () => call(requestAccountDeletion, {}),
    onSuccess() {
      setAsking(false)
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
        description="Deleting your account takes your playlists, likes and history with it."
        actions={
          <Button variant="danger" icon={<IconTrash />} onClick={() => setAsking(true)}>
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
        open={isAsking}
        title="Delete your account?"
        message="Your playlists, likes and listening history will be deleted for good. This action cannot be undone."
        confirmLabel="Delete Account"
        busy={requesting.isPending}
        onConfirm={() => requesting.mutate()}
        onCancel={() => setAsking(false)}
      />
    </div>
  )
}
