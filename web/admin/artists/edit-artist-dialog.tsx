// Dialog to edit an artist of the list. The artist's id is in the URL, so that the audit log can link to this dialog.
import { useId, useState } from 'react'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { errorText } from '../../base/api/show-error.ts'
import { useAdminArtist } from '../track-data/artist-queries.ts'
import { ArtistEditor } from './artist-editor.tsx'

export interface EditArtistDialogProps {
  /** The artist's id. Empty while the dialog is closed. */
  id: string
  onClose: () => void
}

export function EditArtistDialog({ id, onClose }: EditArtistDialogProps) {
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  const artist = useAdminArtist(id)
  return (
    <Dialog
      open={id !== ''}
      onClose={onClose}
      title="Edit Artist"
      footer={
        <FormButtons
          form={formId}
          label="Save Changes"
          busy={isSaving}
          disabled={!artist.data}
          onCancel={onClose}
        />
      }
    >
      {artist.data ? (
        <ArtistEditor
          key={artist.data.id}
          formId={formId}
          artist={artist.data}
          onSavingChange={setIsSaving}
          onSaved={onClose}
        />
      ) : artist.error ? (
        <ErrorState
          title="Failed to load artist"
          message={errorText(artist.error)}
          busy={artist.isFetching}
          onRetry={() => void artist.refetch()}
        />
      ) : (
        <Skeleton height="20rem" />
      )}
    </Dialog>
  )
}
