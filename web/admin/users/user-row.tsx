// One person: what they are called, what they may do, what they pay for, and what can be done.
import { useState } from 'react'
import {
  banUser,
  unbanUser,
  updateUserRole,
  updateUserSubscription,
  type AdminUser,
} from '#contract/admin-users.ts'
import { roles, statusOfTier, tiers, type Role, type Tier } from '#contract/plans.ts'
import { call } from '../../app/api.ts'
import { useSession } from '../../app/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Select } from '../../ui/select.tsx'
import { showFailure } from '../admin-failure.ts'
import { formatDay } from '../format-moment.ts'
import { StatusBadge } from '../status-badge.tsx'
import { titleCase } from '../title-case.ts'
import { useAct } from '../use-act.ts'
import { NameCell } from './name-cell.tsx'
import { UserMenu, type UserQuestion } from './user-menu.tsx'
import { UserConfirm } from './user-confirm.tsx'
import styles from './user-row.module.css'

const roleOptions = roles.map((value) => ({ value, label: titleCase(value) }))
const tierOptions = tiers.map((value) => ({ value, label: titleCase(value) }))

export function UserRow({ user }: { user: AdminUser }) {
  // Nobody locks themselves out: the server refuses it as well.
  const isSelf = useSession().user?.id === user.id
  const [question, setQuestion] = useState<UserQuestion | null>(null)
  const [isNaming, setIsNaming] = useState(false)
  const params = { id: user.id }

  const changeRole = useAct<Role, AdminUser>({
    run: (role) => call(updateUserRole, { params, body: { role } }),
    refresh: ['users'],
    done: (changed) => `Role changed to ${titleCase(changed.role)}`,
    failed: 'Failed to update role',
  })
  const changeTier = useAct<Tier, AdminUser>({
    run: (tier) =>
      call(updateUserSubscription, {
        params,
        body: { subscription_tier: tier, subscription_status: statusOfTier(tier) },
      }),
    refresh: ['users', 'billing'],
    done: 'Subscription updated successfully',
    failed: 'Failed to update subscription',
  })
  const ban = useAct<boolean, AdminUser>({
    run: (wanted) => call(wanted ? banUser : unbanUser, { params }),
    refresh: ['users'],
    done: (_, wanted) => (wanted ? 'User banned' : 'User unbanned'),
    onDone: () => setQuestion(null),
    failed: (error) =>
      showFailure(error, user.role === 'banned' ? 'Failed to unban user' : 'Failed to ban user'),
  })

  // What was chosen stands there until the list has come anew.
  function shownRole(): Role {
    if (changeRole.isPending) return changeRole.variables
    return ban.isPending && ban.variables ? 'banned' : user.role
  }

  function chooseRole(role: Role) {
    if (role === 'banned') setQuestion('ban')
    else changeRole.mutate(role)
  }

  return (
    <tr>
      <th scope="row">
        <span className={styles.email}>
          {user.email} {isSelf && <Badge>You</Badge>}
        </span>
        {user.deletion_requested_at && (
          <Badge tone="danger">Deletion requested {formatDay(user.deletion_requested_at)}</Badge>
        )}
      </th>
      <td data-label="Name" data-full={isNaming || undefined}>
        <NameCell user={user} isEditing={isNaming} onEditingChange={setIsNaming} />
      </td>
      <td className={styles.choice} data-label="Role">
        <Select
          label={`Role of ${user.email}`}
          hideLabel
          options={roleOptions}
          value={shownRole()}
          disabled={isSelf || changeRole.isPending || ban.isPending}
          onChange={(event) => chooseRole(event.target.value as Role)}
        />
      </td>
      <td className={styles.choice} data-label="Subscription" data-full>
        <span className={styles.subscription}>
          <Select
            label={`Subscription of ${user.email}`}
            hideLabel
            options={tierOptions}
            value={changeTier.isPending ? changeTier.variables : user.subscription_tier}
            disabled={changeTier.isPending}
            onChange={(event) => changeTier.mutate(event.target.value as Tier)}
          />
          <StatusBadge status={user.subscription_status} />
        </span>
      </td>
      <td data-label="Joined">
        <time dateTime={user.created_at}>{formatDay(user.created_at)}</time>
      </td>
      <td data-corner>
        <UserMenu
          user={user}
          isSelf={isSelf}
          onEditName={() => setIsNaming(true)}
          onAsk={setQuestion}
          onUnban={() => ban.mutate(false)}
        />
        <UserConfirm
          user={user}
          question={question}
          isBanning={ban.isPending}
          onBan={() => ban.mutate(true)}
          onClose={() => setQuestion(null)}
        />
      </td>
    </tr>
  )
}
