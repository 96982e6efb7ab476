// Dialog that creates a release from the selected tracks, in the order of the table, and opens its editor.
import { useId, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { createRelease } from '#contract/admin/admin-releases.ts'
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { call } from '../../base/api/api.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

export interface GroupDialogProps {
  open: boolean
  tracks: readonly AdminTrack[]
  onClose: () => void
}

export function GroupDialog({ open, tracks, onClose }: GroupDialogProps) {
  const formId = useId()
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const [error, setError] = useState<string>()
  const grouping = useAdminMutation({
    run: () =>
      call(createRelease, {
        body: { title, tracks: tracks.map(({ id }) => ({ track_id: id })) },
      }),
    refresh: ['releases', 'tracks'],
    done: 'Release created',
    onDone: ({ id }) => void navigate(`/admin/releases/${id}`),
    failed: (reason) => showReason(reason, 'Failed to create release'),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setError(title.trim() ? undefined : 'Title is required')
    if (title.trim() && !grouping.isPending) grouping.mutate()
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Group into Release"
      footer={
        <FormButtons
          form={formId}
          label="Create Release"
          busy={grouping.isPending}
          onCancel={onClose}
        />
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <TextField
          label="Release title"
          hint={`${formatCount(tracks.length, 'track', 'tracks')}, in table order. You can change the order next.`}
          required
          maxLength={200}
          value={title}
          error={error}
          onChange={({ target }) => setTitle(target.value)}
        />
      </form>
    </Dialog>
  )
}
