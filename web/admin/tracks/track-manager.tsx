// The list of tracks with its actions and dialogs, for /admin/library and /admin/tracks. `?edit=<track id>` opens the
// form of that track.
import { IconFileZip, IconFolderUp, IconMusic, IconPlus } from '#web/base/ui/icons/icons.ts'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { useMay } from '../../base/session/use-may.ts'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { useExistingPage } from '../shared/lists/use-url-filters.ts'
import { useLast } from '../shared/lists/use-last.ts'
import { PageNote } from '../shared/lists/page-note.tsx'
import { UploadDropZone, uploadPath } from '../uploads/upload-drop-zone.tsx'
import { BulkBar } from './bulk-bar.tsx'
import type { TrackColumn } from './track-columns.tsx'
import { TrackDialog } from './track-dialog.tsx'
import { useTrackFilters } from './track-filters.ts'
import { useAdminTracks, useDeleteTrack } from '../track-data/track-queries.ts'
import { TrackTable } from './track-table.tsx'
import { TrackToolbar } from './track-toolbar.tsx'
import type { TrackVariant } from './track-variant.ts'

const MemberView = lazy(async () => ({
  default: (await import('../listen/member-view.tsx')).MemberView,
}))

export interface TrackManagerProps {
  variant: TrackVariant
  columns: readonly TrackColumn[]
}

export function TrackManager({ variant, columns }: TrackManagerProps) {
  const filters = useTrackFilters()
  const tracks = useAdminTracks(filters.query)
  useExistingPage(filters, tracks)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [adding, setAdding] = useState(false)
  const [deleting, setDeleting] = useState<AdminTrack | null>(null)
  const [viewing, setViewing] = useState<AdminTrack | null>(null)
  const [editId, edit] = useEditParam()

  const isEditor = useMay('editor')
  const rows = tracks.data?.data ?? []
  // Deselects rows that are no longer on the page.
  const chosenRows = rows.filter(({ id }) => chosen.has(id))
  const addButton = (
    <Button variant="primary" icon={<IconPlus />} onClick={() => setAdding(true)}>
      {variant.addLabel}
    </Button>
  )
  return (
    <AdminPage
      title={variant.title(tracks.data?.pagination.total)}
      note={variant.note(tracks.data?.pagination.total)}
      actions={
        <>
          <AddTracksButtons mayImport={isEditor} />
          {addButton}
        </>
      }
    >
      <TrackToolbar filters={filters} />
      <TrackTable
        variant={variant}
        columns={columns}
        query={tracks}
        rows={rows}
        filters={filters}
        chosen={chosen}
        onChoose={setChosen}
        onEdit={({ id }) => edit(id)}
        onView={setViewing}
        onDelete={setDeleting}
        empty={
          <NoTracks isNarrowed={filters.isNarrowed} title={variant.empty} action={addButton} />
        }
        footer={
          tracks.data && (
            <PageNote
              label="Tracks"
              pagination={tracks.data.pagination}
              onChange={filters.setPage}
            />
          )
        }
      />
      {chosenRows.length > 0 && (
        <BulkBar rows={chosenRows} variant={variant} onDone={() => setChosen(new Set())} />
      )}
      <UploadDropZone />
      <TrackDialog
        open={adding || editId !== null}
        id={editId}
        variant={variant}
        onClose={() => {
          setAdding(false)
          if (editId) edit(null)
        }}
      />
      <MemberViewSlot track={viewing} onClose={() => setViewing(null)} />
      <DeleteTrackDialog
        track={deleting}
        onFailed={variant.deleteFailed}
        onClose={() => setDeleting(null)}
      />
    </AdminPage>
  )
}

/** Returns the id of the track whose form is open, and a function to change it. The URL stores it. */
function useEditParam(): [string | null, (id: string | null) => void] {
  const [params, setParams] = useSearchParams()
  function edit(id: string | null) {
    setParams(
      (current) => {
        const next = new URLSearchParams(current)
        if (id) next.set('edit', id)
        else next.delete('edit')
        return next
      },
      { preventScrollReset: true },
    )
  }
  return [params.get('edit'), edit]
}

interface NoTracksProps {
  isNarrowed: boolean
  title: string
  action: ReactNode
}

function NoTracks({ isNarrowed, title, action }: NoTracksProps) {
  if (!isNarrowed) return <EmptyState icon={<IconMusic />} title={title} action={action} />
  return (
    <EmptyState
      icon={<IconMusic />}
      title="No tracks found"
      message="Nothing matches this search and these filters."
    />
  )
}

interface MemberViewSlotProps {
  track: AdminTrack | null
  onClose: () => void
}

/** Loads the code of the member view when it is opened for the first time. */
function MemberViewSlot({ track, onClose }: MemberViewSlotProps) {
  const last = useLast(track)
  return (
    last && (
      <Suspense>
        <MemberView trackId={track?.id ?? null} onClose={onClose} />
      </Suspense>
    )
  )
}

interface DeleteTrackDialogProps {
  track: AdminTrack | null
  onFailed: TrackVariant['deleteFailed']
  onClose: () => void
}

function DeleteTrackDialog({ track, onFailed, onClose }: DeleteTrackDialogProps) {
  const shown = useLast(track)
  const deletion = useDeleteTrack(onFailed, onClose)
  return (
    <ConfirmDialog
      open={track !== null}
      title={`Delete ${shown?.title ?? 'track'}`}
      message="Are you sure you want to delete this track?"
      confirmLabel="Delete"
      busy={deletion.isPending}
      onConfirm={() => track && deletion.mutate(track)}
      onCancel={onClose}
    />
  )
}

function AddTracksButtons({ mayImport }: { mayImport: boolean }) {
  return (
    <>
      <ButtonLink to={uploadPath} icon={<IconFolderUp />}>
        Bulk upload
      </ButtonLink>
      {mayImport && (
        <ButtonLink to="/admin/library/import" icon={<IconFileZip />}>
          Import and export
        </ButtonLink>
      )}
    </>
  )
}
