// Asks for confirmation, then changes, bans or deletes a person.
import { removeTwoFactor } from '#contract/admin/admin-people.ts'
import {
  banUser,
  deleteUser,
  updateUserRole,
  updateUserSubscription,
  type AdminUser,
} from '#contract/admin/admin-users.ts'
import { getTierStatus, type Role, type Tier } from '#contract/plans.ts'
import { call } from '../../base/api/api.ts'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { titleCase } from '../shared/format/title-case.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useLast } from '../shared/lists/use-last.ts'
import { describeQuestion, type PersonQuestion } from '../people/person-question.ts'

export interface PersonConfirmProps {
  user: AdminUser
  /** The change to confirm. Null while the dialog is closed. */
  question: PersonQuestion | null
  onClose: () => void
  onDeleted?: () => void
}

export function PersonConfirm({ user, question, onClose, onDeleted }: PersonConfirmProps) {
  const shown = useLast(question)
  const texts = shown && describeQuestion(user, shown)
  const params = { id: user.id }
  const changeRole = useAdminMutation<Exclude<Role, 'banned'>, AdminUser>({
    run: (role) => call(updateUserRole, { params, body: { role } }),
    refresh: ['users'],
    done: (changed) => `Role changed to ${titleCase(changed.role)}`,
    onDone: onClose,
    failed: 'Failed to update role',
  })
  const changePlan = useAdminMutation<Tier>({
    run: (tier) =>
      call(updateUserSubscription, {
        params,
        body: { subscription_tier: tier, subscription_status: getTierStatus(tier) },
      }),
    refresh: ['users', 'billing', 'insights'],
    done: 'Subscription updated successfully',
    onDone: onClose,
    failed: 'Failed to update subscription',
  })
  const ban = useAdminMutation({
    run: () => call(banUser, { params }),
    refresh: ['users'],
    done: 'User banned',
    onDone: onClose,
    failed: 'Failed to ban user',
  })
  const twoFactorOff = useAdminMutation({
    run: () => call(removeTwoFactor, { params }),
    refresh: ['users'],
    done: 'Two-factor authentication turned off',
    onDone: onClose,
    failed: 'Failed to turn off two-factor authentication',
  })
  const deletion = useAdminMutation({
    run: () => call(deleteUser, { params }),
    refresh: ['users', 'billing'],
    done: 'User deleted successfully',
    onDone() {
      onClose()
      onDeleted?.()
    },
    failed: 'Failed to delete user',
  })
  function confirm() {
    if (question?.kind === 'role') changeRole.mutate(question.role)
    if (question?.kind === 'plan') changePlan.mutate(question.tier)
    if (question?.kind === 'ban') ban.mutate()
    if (question?.kind === 'two-factor-off') twoFactorOff.mutate()
    if (question?.kind === 'delete') deletion.mutate()
  }
  return (
    <ConfirmDialog
      open={question !== null}
      title={texts?.title ?? ''}
      message={texts?.message ?? ''}
      confirmLabel={texts?.confirmLabel ?? ''}
      tone={texts?.isDanger ? 'danger' : 'neutral'}
      busy={[changeRole, changePlan, ban, twoFactorOff, deletion].some(
        ({ isPending }) => isPending,
      )}
      onConfirm={confirm}
      onCancel={onClose}
    />
  )
}
