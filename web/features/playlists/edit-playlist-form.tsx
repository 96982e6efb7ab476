// Edits the user's playlist in place: title, description, visibility. The cover changes immediately.
import type { SubmitEvent } from 'react'
import {
  playlistDescriptionMaxLength,
  playlistTitleMaxLength,
  type Playlist,
} from '#contract/playlists.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { showError } from '../../base/api/show-error.ts'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { CoverPicker } from '../catalogue/cover-picker.tsx'
import { PlaylistCover } from '../catalogue/playlist-cover.tsx'
import { useUpdatePlaylist } from '../catalogue/queries/playlist-queries.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { PublicSwitch } from '../catalogue/sharing/public-switch.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import styles from './edit-playlist-form.module.css'

export function EditPlaylistForm({ playlist, onDone }: { playlist: Playlist; onDone: () => void }) {
  const draft = useFormDraft({
    key: `playlist-words:${playlist.id}`,
    what: 'this playlist',
    saved: {
      title: playlist.title,
      description: playlist.description ?? '',
      is_public: playlist.is_public,
    },
  })
  const { title, description, is_public } = draft.form
  const change = (changes: Partial<typeof draft.form>) =>
    draft.setForm((form) => ({ ...form, ...changes }))
  const { form, problems, showProblems } = useProblems<{ title: string }>()
  const save = useUpdatePlaylist(playlist.id)

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (save.isPending) return
    if (showProblems({ title: title.trim() ? undefined : 'Title is required' })) return
    try {
      await save.mutateAsync({ title, description: description || null, is_public })
      draft.saved()
      showToast({ tone: 'success', title: 'Playlist updated successfully' })
      onDone()
    } catch (error) {
      showError(error)
    }
  }

  return (
    <form ref={form} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <div className={styles.cover}>
        <ChangeCover playlist={playlist} />
      </div>
      <div className={styles.fields}>
        <h1 className={styles.title}>Edit Playlist</h1>
        <RestoredNote isShown={draft.isRestored} onDiscard={draft.discard} />
        <TextField
          label="Title"
          maxLength={playlistTitleMaxLength}
          value={title}
          error={problems.title}
          onChange={(event) => {
            change({ title: event.target.value })
            showProblems({})
          }}
        />
        <TextArea
          label="Description"
          maxLength={playlistDescriptionMaxLength}
          value={description}
          onChange={(event) => change({ description: event.target.value })}
        />
        <PublicSwitch
          playlist={playlist}
          checked={is_public}
          onChange={(is_public) => change({ is_public })}
        />
        <div className={styles.buttons}>
          <Button type="submit" variant="primary" busy={save.isPending}>
            Save Changes
          </Button>
          <Button onClick={() => draft.leave(onDone)}>Cancel</Button>
        </div>
      </div>
    </form>
  )
}

/** Changes the cover. It is saved as soon as the picture is uploaded, separately from the text fields. */
function ChangeCover({ playlist }: { playlist: Playlist }) {
  const save = useUpdatePlaylist(playlist.id)
  return (
    <CoverPicker
      label="Change cover"
      title={playlist.title}
      onUploaded={(cover_path) =>
        save.mutate(
          { cover_path },
          {
            onSuccess: () => showToast({ tone: 'success', title: 'Cover updated successfully' }),
            onError: (error) => showError(error, undefined, 'Upload failed'),
          },
        )
      }
    >
      <PlaylistCover playlist={playlist} sizes="240px" radius="large" eager />
    </CoverPicker>
  )
}
