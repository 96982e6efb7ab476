// Merges artists: either all selected artists into one of them, or one artist into another that is found by search.
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { mergeArtists, type AdminArtist } from '#contract/admin/admin-artists.ts'
import { call } from '../../base/api/api.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { useFoundArtists } from '../track-data/artist-queries.ts'
import { ArtistField } from '../track-data/artist-field.tsx'
import { showReason } from '../shared/admin-failure.ts'
import dialogForm from '../shared/dialog-form.module.css'
import { useLast } from '../shared/lists/use-last.ts'
import { offerUndo } from '../shared/offer-undo.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { artistLists, createArtistUndo } from './artist-undo.ts'
import textStyles from '../../base/ui/layout/text.module.css'

export interface MergeArtistsDialogProps {
  /** The artists to merge. Empty while the dialog is closed. */
  artists: readonly AdminArtist[]
  onClose: () => void
  onMerged: () => void
}

export function MergeArtistsDialog({ artists, onClose, onMerged }: MergeArtistsDialogProps) {
  const formId = useId()
  const [isBusy, setBusy] = useState(false)
  const shown = useLast(artists.length > 0 ? artists : null) ?? []
  return (
    <Dialog
      open={artists.length > 0}
      onClose={onClose}
      title="Merge Artists"
      description="Their tracks are credited to the artist you keep. The other names and addresses lead to that artist."
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" type="submit" form={formId} busy={isBusy}>
            Merge
          </Button>
        </>
      }
    >
      {shown.length > 0 && (
        <MergeForm
          key={shown.map(({ id }) => id).join()}
          formId={formId}
          artists={shown}
          onBusyChange={setBusy}
          onDone={() => {
            onMerged()
            onClose()
          }}
        />
      )}
    </Dialog>
  )
}

interface MergeFormProps {
  formId: string
  artists: readonly AdminArtist[]
  onBusyChange: (isBusy: boolean) => void
  onDone: () => void
}

function MergeForm({ formId, artists, onBusyChange, onDone }: MergeFormProps) {
  const queryClient = useQueryClient()
  const isSearched = artists.length === 1
  const most = artists.toSorted((one, other) => other.track_count - one.track_count)[0]
  const [remaining, setRemaining] = useState(isSearched ? '' : (most?.id ?? ''))
  const [problem, setProblem] = useState<string>()
  const found = useFoundArtists(isSearched ? remaining : '')
  const target = isSearched
    ? found.artists.find(({ name, id }) => name === remaining.trim() && id !== artists[0]?.id)
    : artists.find(({ id }) => id === remaining)
  const merged = artists.filter(({ id }) => id !== target?.id)
  const merging = useAdminMutation({
    run: () =>
      call(mergeArtists, {
        params: { id: target?.id ?? '' },
        body: { artist_ids: merged.map(({ id }) => id) },
      }),
    onSavingChange: onBusyChange,
    refresh: artistLists,
    onDone({ undo_id, data }: { undo_id: string; data: AdminArtist }) {
      onDone()
      offerUndo(queryClient, 'Artists merged', artistLists, createArtistUndo(undo_id, data.name))
    },
    failed: (error) => showReason(error, 'Failed to merge artists'),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setProblem(target ? undefined : 'Choose another artist')
    if (target && !merging.isPending) merging.mutate()
  }

  const count = merged.reduce((sum, { track_count }) => sum + track_count, 0)
  return (
    <form id={formId} className={dialogForm.form} noValidate onSubmit={submit}>
      {isSearched ? (
        <ArtistField
          label={`Merge ${artists[0]?.name ?? ''} into`}
          placeholder="Search artists..."
          value={remaining}
          error={problem}
          onChange={setRemaining}
        />
      ) : (
        <Select
          label="Artist to keep"
          options={artists.map(({ id, name, track_count }) => ({
            value: id,
            label: `${name} · ${formatCount(track_count, 'track', 'tracks')}`,
          }))}
          value={remaining}
          onChange={(event) => setRemaining(event.target.value)}
        />
      )}
      {target && (
        <p className={textStyles.softSmall} role="status">
          {merged.map(({ name }) => name).join(', ')} {merged.length === 1 ? 'becomes' : 'become'}{' '}
          {target.name}: {formatCount(count, 'track changes', 'tracks change')}.
        </p>
      )}
    </form>
  )
}
