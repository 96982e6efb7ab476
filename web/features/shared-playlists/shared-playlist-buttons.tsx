// Buttons in the head of a playlist that is shared or can be shared.
import { useState } from 'react'
import type { Playlist } from '#contract/playlists.ts'
import { IconArrowBackUp, IconLogout, IconUsers } from '#web/base/ui/icons/icons.ts'
import { showError } from '../../base/api/show-error.ts'
import { useSession } from '../../base/session/session.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { isShared, mayChangeTracks } from '../catalogue/queries/playlist-role.ts'
import { ShareDialog } from './share-dialog.tsx'
import { useRemoveMember, useUndoChange } from './shared-playlist-queries.ts'

/** Opens the list of members. Shown to the owner and all members of the playlist. */
export function ShareButton({ playlist }: { playlist: Playlist }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" icon={<IconUsers />} onClick={() => setIsOpen(true)}>
        {playlist.is_own ? 'Share' : 'People'}
      </Button>
      <ShareDialog playlist={playlist} open={isOpen} onClose={() => setIsOpen(false)} />
    </>
  )
}

/** Undoes the user's last change of the tracks. */
export function UndoButton({ playlist }: { playlist: Playlist }) {
  const undo = useUndoChange(playlist.id)
  if (!mayChangeTracks(playlist) || !isShared(playlist)) return null
  return (
    <Button
      variant="quiet"
      icon={<IconArrowBackUp />}
      busy={undo.isPending}
      onClick={() =>
        undo.mutate(undefined, {
          onSuccess: () => showToast({ tone: 'success', title: 'Your last change was undone' }),
          onError: (error) => showError(error, 'Failed to undo your change'),
        })
      }
    >
      Undo My Change
    </Button>
  )
}

export function LeaveButton({ playlist, onLeft }: { playlist: Playlist; onLeft: () => void }) {
  const { user } = useSession()
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const leave = useRemoveMember(playlist.id)
  return (
    <>
      <Button variant="quiet" icon={<IconLogout />} onClick={() => setConfirmOpen(true)}>
        Leave
      </Button>
      <ConfirmDialog
        open={isConfirmOpen}
        title="Leave this playlist?"
        message={`“${playlist.title}” will be removed from your playlists. Tracks you added stay in it.`}
        confirmLabel="Leave"
        busy={leave.isPending}
        onCancel={() => setConfirmOpen(false)}
        onConfirm={() => {
          if (user)
            leave.mutate(user.id, { onSuccess: onLeft, onError: () => setConfirmOpen(false) })
        }}
      />
    </>
  )
}
