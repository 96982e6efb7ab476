// Asks before a person is shut out or deleted.
import { deleteUser, type AdminUser } from '#contract/admin-users.ts'
import { call } from '../../app/api.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useAct } from '../use-act.ts'
import { useLast } from '../use-last.ts'
import type { UserQuestion } from './user-menu.tsx'

export interface UserConfirmProps {
  user: AdminUser
  question: UserQuestion | null
  isBanning: boolean
  onBan: () => void
  onClose: () => void
}

export function UserConfirm({ user, question, isBanning, onBan, onClose }: UserConfirmProps) {
  const shown = useLast(question)
  const deleting = useAct({
    run: () => call(deleteUser, { params: { id: user.id } }),
    refresh: ['users', 'billing'],
    done: 'User deleted successfully',
    onDone: onClose,
    failed: 'Failed to delete user',
  })
  const words =
    shown === 'delete'
      ? {
          title: `Delete ${user.email}`,
          message:
            'This deletes the account with its playlists, likes and personal data. The audit log stays. This action cannot be undone.',
          confirmLabel: 'Delete',
        }
      : {
          title: `Ban ${user.email}`,
          message:
            'They are signed out everywhere at once and cannot sign in until they are unbanned.',
          confirmLabel: 'Ban',
        }
  return (
    <ConfirmDialog
      open={question !== null}
      {...words}
      busy={isBanning || deleting.isPending}
      onConfirm={() => (shown === 'delete' ? deleting.mutate() : onBan())}
      onCancel={onClose}
    />
  )
}
