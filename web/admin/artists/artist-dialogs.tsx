// The dialogs of the artist list. Only one is open at a time.
import { useQueryClient } from '@tanstack/react-query'
import { deleteArtist, type AdminArtist } from '#contract/admin/admin-artists.ts'
import { call } from '../../base/api/api.ts'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { useLast } from '../shared/lists/use-last.ts'
import { offerUndo } from '../shared/offer-undo.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { AddArtistDialog } from './add-artist-dialog.tsx'
import { artistLists, createArtistUndo } from './artist-undo.ts'
import { EditArtistDialog } from './edit-artist-dialog.tsx'
import { MergeArtistsDialog } from './merge-artists-dialog.tsx'
import { SplitArtistDialog } from './split-artist-dialog.tsx'

/** Which dialog is open, and the artists that it changes. */
export type OpenDialog =
  | { act: 'add' }
  | { act: 'merge'; artists: readonly AdminArtist[] }
  | { act: 'split' | 'delete'; artist: AdminArtist }

export interface ArtistDialogsProps {
  openDialog: OpenDialog | null
  /** Id of the artist in the editor. Empty when the editor is closed. */
  editedId: string
  /** Pass an empty id to close the editor. */
  onEdit: (id: string) => void
  onClose: () => void
  onMerged: () => void
}

export function ArtistDialogs(props: ArtistDialogsProps) {
  const { openDialog, editedId, onEdit, onClose, onMerged } = props
  return (
    <>
      <AddArtistDialog
        open={openDialog?.act === 'add'}
        onClose={onClose}
        onAdded={({ id }) => onEdit(id)}
      />
      <EditArtistDialog id={editedId} onClose={() => onEdit('')} />
      <MergeArtistsDialog
        artists={openDialog?.act === 'merge' ? openDialog.artists : []}
        onClose={onClose}
        onMerged={onMerged}
      />
      <SplitArtistDialog
        artist={openDialog?.act === 'split' ? openDialog.artist : null}
        onClose={onClose}
      />
      <DeleteArtistDialog
        artist={openDialog?.act === 'delete' ? openDialog.artist : null}
        onClose={onClose}
      />
    </>
  )
}

function DeleteArtistDialog({
  artist,
  onClose,
}: {
  artist: AdminArtist | null
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const shown = useLast(artist)
  const deletion = useAdminMutation<AdminArtist, { undo_id: string }>({
    run: ({ id }) => call(deleteArtist, { params: { id } }),
    refresh: artistLists,
    onDone({ undo_id }, { name }) {
      onClose()
      offerUndo(queryClient, 'Artist deleted', artistLists, createArtistUndo(undo_id, name))
    },
    failed: (error) => showReason(error, 'Failed to delete artist'),
  })
  return (
    <ConfirmDialog
      open={artist !== null}
      title={`Delete ${shown?.name ?? 'artist'}`}
      message="Are you sure you want to delete this artist? No track credits it."
      confirmLabel="Delete"
      busy={deletion.isPending}
      onConfirm={() => artist && deletion.mutate(artist)}
      onCancel={onClose}
    />
  )
}
