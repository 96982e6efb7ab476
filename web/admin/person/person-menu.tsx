// The menu of actions on a person, in the user list and on the person's page.
import {
  IconBan,
  IconCreditCard,
  IconDots,
  IconLockOpen,
  IconMailForward,
  IconPencil,
  IconShieldOff,
  IconTrash,
} from '#web/base/ui/icons/icons.ts'
import type { ReactElement } from 'react'
import { useNavigate } from 'react-router'
import { resetUserPassword, unbanUser, type AdminUser } from '#contract/admin/admin-users.ts'
import { call } from '../../base/api/api.ts'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../base/ui/overlays/menu.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import type { PersonQuestion } from '../people/person-question.ts'

export interface PersonMenuProps {
  user: AdminUser
  /** True for the signed-in admin. Admins can't ban or delete their own account here. */
  isSelf: boolean
  /** Only known on the person's page. The user list doesn't load it. */
  hasTwoFactor?: boolean
  /** Opens the name dialog. If absent, the menu has no such item. */
  onEditName?: () => void
  onAsk: (question: PersonQuestion) => void
  /** The Button or IconButton that opens the menu. */
  trigger?: ReactElement
}

export function PersonMenu({
  user,
  isSelf,
  hasTwoFactor = false,
  onEditName,
  onAsk,
  trigger,
}: PersonMenuProps) {
  const navigate = useNavigate()
  const resetting = useAdminMutation({
    run: () => call(resetUserPassword, { params: { id: user.id } }),
    refresh: [],
    done: 'Password reset email sent',
    failed: 'Failed to send password reset email',
  })
  const unbanning = useAdminMutation({
    run: () => call(unbanUser, { params: { id: user.id } }),
    refresh: ['users'],
    done: 'User unbanned',
    failed: 'Failed to unban user',
  })
  const isBusy = resetting.isPending || unbanning.isPending
  return (
    <Menu
      label={`Actions for ${user.email}`}
      trigger={
        trigger ?? (
          <IconButton size="small" label={`Actions for ${user.email}`} busy={isBusy}>
            <IconDots />
          </IconButton>
        )
      }
    >
      {onEditName && (
        <MenuItem icon={<IconPencil />} onSelect={onEditName}>
          Edit Name
        </MenuItem>
      )}
      <MenuItem icon={<IconMailForward />} onSelect={() => resetting.mutate()}>
        Reset Password
      </MenuItem>
      {hasTwoFactor && !isSelf && (
        <MenuItem icon={<IconShieldOff />} onSelect={() => onAsk({ kind: 'two-factor-off' })}>
          Turn Off Two-Factor
        </MenuItem>
      )}
      <MenuItem
        icon={<IconCreditCard />}
        onSelect={() => void navigate(`/admin/billing?add=${user.id}`)}
      >
        Add Manual Subscription
      </MenuItem>
      {!isSelf && (
        <>
          <MenuSeparator />
          {user.role === 'banned' ? (
            <MenuItem icon={<IconLockOpen />} onSelect={() => unbanning.mutate()}>
              Unban
            </MenuItem>
          ) : (
            <MenuItem danger icon={<IconBan />} onSelect={() => onAsk({ kind: 'ban' })}>
              Ban
            </MenuItem>
          )}
          <MenuItem danger icon={<IconTrash />} onSelect={() => onAsk({ kind: 'delete' })}>
            Delete
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
