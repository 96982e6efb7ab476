// The members of a shared playlist, with controls for the owner.
import type { Playlist } from '#contract/playlists.ts'
import type { MemberRole, PlaylistMember } from '#contract/shared-playlists.ts'
import { IconX } from '#web/base/ui/icons/icons.ts'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { Avatar } from '../../base/ui/display/avatar.tsx'
import { keepRowFocus } from '../../base/ui/lists/keep-row-focus.ts'
import styles from './share-dialog.module.css'
import { useChangeMember, useRemoveMember } from './shared-playlist-queries.ts'

export const roleNames = { owner: 'Owner', editor: 'Can edit', viewer: 'Can listen' } as const
const roleOptions = (['editor', 'viewer'] as const).map((value) => ({
  value,
  label: roleNames[value],
}))

export interface MemberListProps {
  playlist: Playlist
  members: readonly PlaylistMember[]
}

export function MemberList({ playlist, members }: MemberListProps) {
  return (
    <ul ref={keepRowFocus} className={styles.people}>
      {members.map((member) => (
        <MemberRow key={member.id} {...{ playlist, member }} />
      ))}
    </ul>
  )
}

function MemberRow({ playlist, member }: { playlist: Playlist; member: PlaylistMember }) {
  const { id, display_name, avatar_url, role, is_you } = member
  const name = display_name || 'A member'
  const change = useChangeMember(playlist.id)
  const remove = useRemoveMember(playlist.id)
  return (
    <li className={styles.person}>
      <Avatar url={avatar_url} name={name} size={36} />
      <span className={styles.name}>{is_you ? `${name} (you)` : name}</span>
      {playlist.is_own && role !== 'owner' ? (
        <>
          <span className={styles.role}>
            <Select
              label={`Role of ${name}`}
              hideLabel
              options={playlist.is_smart ? roleOptions.slice(1) : roleOptions}
              value={role}
              disabled={change.isPending}
              onChange={({ target }) =>
                change.mutate({ user_id: id, role: target.value as MemberRole })
              }
            />
          </span>
          <IconButton
            label={`Remove ${name}`}
            data-control="remove"
            disabled={remove.isPending}
            onClick={() => remove.mutate(id)}
          >
            <IconX />
          </IconButton>
        </>
      ) : (
        <span className={styles.hint}>{roleNames[role]}</span>
      )}
    </li>
  )
}
