// Moves selected tracks of an artist to an existing or new artist.
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { splitArtist, type AdminArtist } from '#contract/admin/admin-artists.ts'
import { call } from '../../base/api/api.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Checkbox } from '../../base/ui/controls/checkbox.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { ArtistField } from '../track-data/artist-field.tsx'
import { useAdminTracks } from '../track-data/track-queries.ts'
import { showReason } from '../shared/admin-failure.ts'
import dialogForm from '../shared/dialog-form.module.css'
import { useLast } from '../shared/lists/use-last.ts'
import { offerUndo } from '../shared/offer-undo.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { artistLists, createArtistUndo } from './artist-undo.ts'
import styles from './artists-screen.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export interface SplitArtistDialogProps {
  /** The artist to split. Null while the dialog is closed. */
  artist: AdminArtist | null
  onClose: () => void
}

export function SplitArtistDialog({ artist, onClose }: SplitArtistDialogProps) {
  const formId = useId()
  const [isBusy, setBusy] = useState(false)
  const shown = useLast(artist)
  return (
    <Dialog
      open={artist !== null}
      onClose={onClose}
      title={`Split ${shown?.name ?? 'artist'}`}
      description="Moves the selected tracks to another artist. A new name creates a new artist."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" type="submit" form={formId} busy={isBusy}>
            Split
          </Button>
        </>
      }
    >
      {shown && (
        <SplitForm
          key={shown.id}
          formId={formId}
          artist={shown}
          onBusyChange={setBusy}
          onDone={onClose}
        />
      )}
    </Dialog>
  )
}

interface SplitFormProps {
  formId: string
  artist: AdminArtist
  onBusyChange: (isBusy: boolean) => void
  onDone: () => void
}

function SplitForm({ formId, artist, onBusyChange, onDone }: SplitFormProps) {
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const splitting = useAdminMutation({
    run: () =>
      call(splitArtist, {
        params: { id: artist.id },
        body: { track_ids: [...chosen], to: { name: name.trim() } },
      }),
    onSavingChange: onBusyChange,
    refresh: artistLists,
    onDone({ undo_id, data }: { undo_id: string; data: AdminArtist }) {
      onDone()
      offerUndo(queryClient, 'Tracks moved', artistLists, createArtistUndo(undo_id, data.name))
    },
    failed: (error) => showReason(error, 'Failed to split artist'),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const isMissing = !name.trim() || name.trim() === artist.name
    setProblem(isMissing ? 'Enter the name of another artist' : undefined)
    if (isMissing || splitting.isPending) return
    if (chosen.size > 0) return splitting.mutate()
    showToast({
      tone: 'destructive',
      title: 'No tracks selected',
      message: 'Please select at least one track.',
    })
  }

  return (
    <form id={formId} className={dialogForm.form} noValidate onSubmit={submit}>
      <ArtistField
        label="Artist for these tracks"
        placeholder="Search or type a new name..."
        value={name}
        error={problem}
        onChange={setName}
      />
      <TrackChoices artist={artist} chosen={chosen} onChoose={setChosen} />
    </form>
  )
}

/** The largest page that the server returns. */
const maxShown = 200

interface TrackChoicesProps {
  artist: AdminArtist
  chosen: ReadonlySet<string>
  onChoose: (ids: ReadonlySet<string>) => void
}

function TrackChoices({ artist, chosen, onChoose }: TrackChoicesProps) {
  const tracks = useAdminTracks({
    artist: artist.id,
    sort: 'title',
    direction: 'asc',
    page_size: maxShown,
  })
  const rows = tracks.data?.data ?? []
  const total = tracks.data?.pagination.total ?? 0
  if (tracks.isPending) return <Skeleton height="12rem" />
  if (tracks.error && rows.length === 0) {
    return (
      <ErrorState
        title="Failed to load tracks"
        busy={tracks.isFetching}
        onRetry={() => void tracks.refetch()}
      />
    )
  }
  return (
    <>
      <ul className={styles.choices} aria-label={`Tracks of ${artist.name}`}>
        {rows.map(({ id, title, artist: line }) => (
          <li key={id} className={styles.choice}>
            <Checkbox
              label={`${title} · ${line}`}
              checked={chosen.has(id)}
              onChange={({ target }) => {
                const next = new Set(chosen)
                if (target.checked) next.add(id)
                else next.delete(id)
                onChoose(next)
              }}
            />
          </li>
        ))}
      </ul>
      <p className={textStyles.softSmall} role="status">
        {formatCount(chosen.size, 'track', 'tracks')} selected
        {total > rows.length &&
          `. Only the first ${rows.length} of ${total.toLocaleString('en')} are listed. Split again to move the others.`}
      </p>
    </>
  )
}
