// The form for a new playlist: a title, and optionally description, visibility and cover.
import { useId, useState, type SubmitEvent } from 'react'
import {
  playlistDescriptionMaxLength,
  playlistTitleMaxLength,
  type Playlist,
} from '#contract/playlists.ts'
import { ApiError } from '../../base/api/api.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { showError } from '../../base/api/show-error.ts'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { CoverPicker } from './cover-picker.tsx'
import styles from './create-playlist-dialog.module.css'
import { useCreatePlaylist } from './queries/playlist-queries.ts'
import { PublicSwitch } from './sharing/public-switch.tsx'
import layout from '../../base/ui/layout/layout.module.css'

export interface CreatePlaylistDialogProps {
  open: boolean
  onClose: () => void
  /** Called when the server rejects the playlist because the plan's limit is reached. */
  onLimitReached: () => void
  onCreated: (playlist: Playlist) => void
}

export function CreatePlaylistDialog(props: CreatePlaylistDialogProps) {
  const { open, onClose } = props
  const formId = useId()
  const create = useCreatePlaylist()
  const [uploading, setUploading] = useState(false)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Create Playlist"
      description="Give your playlist a title. You can change everything later."
      footer={
        <FormButtons
          form={formId}
          label={uploading ? 'Uploading Cover' : 'Create Playlist'}
          busy={create.isPending || uploading}
          onCancel={onClose}
        />
      }
    >
      <CreatePlaylistForm {...props} {...{ formId, create }} onUploading={setUploading} />
    </Dialog>
  )
}

interface CreatePlaylistFormProps extends CreatePlaylistDialogProps {
  formId: string
  create: ReturnType<typeof useCreatePlaylist>
  onUploading: (uploading: boolean) => void
}

const emptyForm = { title: '', description: '', isPublic: false, coverPath: '' }

/** Mounted each time the dialog opens, with empty fields or the stored draft. */
function CreatePlaylistForm(props: CreatePlaylistFormProps) {
  const { formId, create, onUploading, onLimitReached, onCreated } = props
  const draft = useFormDraft({ key: 'playlist:new', what: 'the new playlist', saved: emptyForm })
  const { title, description, isPublic, coverPath } = draft.form
  const change = (changes: Partial<typeof emptyForm>) =>
    draft.setForm((form) => ({ ...form, ...changes }))
  const { form, problems, showProblems } = useProblems<{ title: string }>()

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (create.isPending) return
    if (showProblems({ title: title.trim() ? undefined : 'Title is required' })) return
    try {
      const playlist = await create.mutateAsync({
        title,
        description: description || null,
        is_public: isPublic,
        ...(coverPath && { cover_path: coverPath }),
      })
      showToast({ tone: 'success', title: 'Playlist created successfully' })
      draft.saved()
      onCreated(playlist)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'playlist_limit_reached') onLimitReached()
      else showError(error)
    }
  }

  return (
    <form
      ref={form}
      id={formId}
      className={layout.stack5}
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <RestoredNote isShown={draft.isRestored} onDiscard={draft.discard} />
      <div className={styles.top}>
        <CoverPicker
          label="Choose a cover"
          title={title.trim() || 'New playlist'}
          onUploading={onUploading}
          onUploaded={(path) => change({ coverPath: path })}
        />
        <TextField
          label="Title"
          data-autofocus
          maxLength={playlistTitleMaxLength}
          value={title}
          error={problems.title}
          onChange={(event) => {
            change({ title: event.target.value })
            showProblems({})
          }}
        />
      </div>
      <TextArea
        label="Description"
        maxLength={playlistDescriptionMaxLength}
        value={description}
        onChange={(event) => change({ description: event.target.value })}
      />
      <PublicSwitch
        playlist={null}
        checked={isPublic}
        onChange={(isPublic) => change({ isPublic })}
      />
    </form>
  )
}
