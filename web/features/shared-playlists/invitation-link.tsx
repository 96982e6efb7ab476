// The link for one role. Its URL is shown only once, when it is created: the server stores only a hash.
import type { MemberRole, PlaylistInvitation } from '#contract/shared-playlists.ts'
import { IconCopy } from '#web/base/ui/icons/icons.ts'
import { copyText } from '../../base/browser/copy-text.ts'
import { showError } from '../../base/api/show-error.ts'
import { formatDay } from '../../base/format/format-day.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import styles from './share-dialog.module.css'
import {
  invitationLink,
  useCreateInvitation,
  useRevokeInvitation,
} from './shared-playlist-queries.ts'

const roleTexts: Record<MemberRole, { title: string; hint: string }> = {
  editor: { title: 'Can edit', hint: 'Can add, move and remove tracks.' },
  viewer: { title: 'Can listen', hint: 'Can listen, but not make changes.' },
}

export interface InvitationLinkProps {
  playlistId: string
  role: MemberRole
  /** The active link; undefined if there is none for this role. */
  invitation: PlaylistInvitation | undefined
}

export function InvitationLink({ playlistId, role, invitation }: InvitationLinkProps) {
  const create = useCreateInvitation(playlistId)
  const revoke = useRevokeInvitation(playlistId)
  const { title, hint } = roleTexts[role]
  const made = invitation && create.data?.created_at === invitation.created_at ? create.data : null
  return (
    <div className={styles.link}>
      <div className={styles.linkWords}>
        <p className={styles.name}>{title}</p>
        <p className={styles.hint}>
          {invitation ? `The current link expires on ${formatDay(invitation.expires_at)}.` : hint}
        </p>
      </div>
      <div className={styles.linkButtons}>
        <Button
          size="small"
          busy={create.isPending}
          aria-label={invitation ? `New link: ${title}` : `Create link: ${title}`}
          onClick={() => create.mutate(role)}
        >
          {invitation ? 'New Link' : 'Create Link'}
        </Button>
        {invitation && (
          <Button
            size="small"
            variant="quiet"
            busy={revoke.isPending}
            aria-label={`Revoke link: ${title}`}
            onClick={() => revoke.mutate(role)}
          >
            Revoke
          </Button>
        )}
      </div>
      {made && <NewLinkUrl address={invitationLink(made.token)} />}
    </div>
  )
}

function NewLinkUrl({ address }: { address: string }) {
  async function copy() {
    try {
      await copyText(address)
      showToast({ tone: 'success', title: 'Link copied' })
    } catch (error) {
      showError(error, 'The link could not be copied. Select it and copy it yourself.')
    }
  }
  return (
    <p className={styles.address}>
      <code>{address}</code>
      <IconButton label="Copy link" onClick={() => void copy()}>
        <IconCopy />
      </IconButton>
    </p>
  )
}
