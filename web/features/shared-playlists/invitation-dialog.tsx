// Opens when the user follows an invitation link. Shows the playlist, and joins it after a confirmation.
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { invitationHash } from '#contract/shared-playlists.ts'
import { errorText, showError } from '../../base/api/show-error.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { invitationOptions, useAcceptInvitation } from './shared-playlist-queries.ts'

export function InvitationDialog() {
  const { hash } = useLocation()
  if (!hash.startsWith(invitationHash)) return null
  const token = hash.slice(invitationHash.length)
  return <Invitation key={token} token={token} />
}

function Invitation({ token }: { token: string }) {
  const navigate = useNavigate()
  const invitation = useQuery(invitationOptions(token))
  const accept = useAcceptInvitation()
  const close = () => void navigate('/my-playlists', { replace: true })
  const open = (id: string) => void navigate(`/my-playlists?playlist=${id}`, { replace: true })
  if (invitation.isPending) return null
  if (invitation.isError) {
    return (
      <Dialog
        open
        onClose={close}
        size="small"
        title="This invitation could not be opened"
        description={errorText(invitation.error)}
        footer={<Button onClick={close}>Close</Button>}
      />
    )
  }
  const { playlist_id, title, owner_name, track_count, role, own_role } = invitation.data
  const isNew = own_role === null || (own_role === 'viewer' && role === 'editor')
  const join = () =>
    accept.mutate(token, {
      onSuccess(playlist) {
        showToast({ tone: 'success', title: 'You joined the playlist', message: playlist.title })
        open(playlist.id)
      },
      onError: (error) => showError(error),
    })
  return (
    <Dialog
      open
      onClose={close}
      size="small"
      title={isNew ? `Join “${title}”?` : `You already have access to “${title}”`}
      description={
        isNew &&
        `${owner_name || 'A member'} is sharing ${formatCount(track_count, 'track', 'tracks')} with you. ${roleSentences[role]} Everyone with access can see your name and picture.`
      }
      footer={
        isNew ? (
          <>
            <Button onClick={close}>Not Now</Button>
            <Button variant="primary" busy={accept.isPending} onClick={join}>
              Join
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={() => open(playlist_id)}>
            Open
          </Button>
        )
      }
    />
  )
}

const roleSentences = {
  editor: 'You can add, move and remove tracks.',
  viewer: 'You can listen to them.',
} as const
