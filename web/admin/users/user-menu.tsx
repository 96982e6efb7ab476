// What can be done with one person.
import {
  IconBan,
  IconCreditCard,
  IconDots,
  IconLockOpen,
  IconMailForward,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { resetUserPassword, type AdminUser } from '#contract/admin-users.ts'
import { call } from '../../app/api.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { useAct } from '../use-act.ts'

/** What has to be confirmed first. */
export type UserQuestion = 'ban' | 'delete'

export interface UserMenuProps {
  user: AdminUser
  /** The admin's own account: it can be neither banned nor deleted here. */
  isSelf: boolean
  onEditName: () => void
  onAsk: (question: UserQuestion) => void
  onUnban: () => void
}

export function UserMenu({ user, isSelf, onEditName, onAsk, onUnban }: UserMenuProps) {
  const navigate = useNavigate()
  const resetting = useAct({
    run: () => call(resetUserPassword, { params: { id: user.id } }),
    refresh: [],
    done: 'Password reset email sent',
    failed: 'Failed to send password reset email',
  })
  return (
    <Menu
      label={`Actions for ${user.email}`}
      trigger={
        <IconButton size="small" label={`Actions for ${user.email}`} busy={resetting.isPending}>
          <IconDots />
        </IconButton>
      }
    >
      <MenuItem icon={<IconPencil />} onSelect={onEditName}>
        Edit Name
      </MenuItem>
      <MenuItem icon={<IconMailForward />} onSelect={() => resetting.mutate()}>
        Reset Password
      </MenuItem>
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
            <MenuItem icon={<IconLockOpen />} onSelect={onUnban}>
              Unban
            </MenuItem>
          ) : (
            <MenuItem danger icon={<IconBan />} onSelect={() => onAsk('ban')}>
              Ban
            </MenuItem>
          )}
          <MenuItem danger icon={<IconTrash />} onSelect={() => onAsk('delete')}>
            Delete
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
