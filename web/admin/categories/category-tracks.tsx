// The tracks of a category, with actions to edit, delete and add tracks.
import { IconMusic, IconPencil, IconPlus, IconTrash } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import type { Category } from '#contract/categories.ts'
import { ButtonLink, ScreenLink } from '../../base/navigation/screen-link.tsx'
import { formatDuration } from '../../base/format/format-duration.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { iconButtonClass, IconButton } from '../../base/ui/controls/icon-button.tsx'
import { keepRowFocus } from '../../base/ui/lists/keep-row-focus.ts'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { showFailure } from '../shared/admin-failure.ts'
import { useFailureToast } from '../shared/lists/data-table.tsx'
import { PlayCover } from '../listen/play-track.tsx'
import { PageNote } from '../shared/lists/page-note.tsx'
import { useAdminTracks, useDeleteTrack } from '../track-data/track-queries.ts'
import { useLast } from '../shared/lists/use-last.ts'
import { useExistingPage, useUrlFilters } from '../shared/lists/use-url-filters.ts'
import { AddTracksDialog } from './add-tracks-dialog.tsx'
import styles from './category-screen.module.css'
import layout from '../../base/ui/layout/layout.module.css'

const noFilters = [] as const

export function CategoryTracks({ category }: { category: Category }) {
  const { page, setPage } = useUrlFilters(noFilters)
  const tracks = useAdminTracks({ category: category.category, page })
  useExistingPage({ page, setPage }, tracks)
  useFailureToast(tracks.error, (error) => showFailure(error, 'Failed to load tracks'))
  const [adding, setAdding] = useState(false)
  const [deleting, setDeleting] = useState<AdminTrack | null>(null)
  const shown = useLast(deleting)
  const deletion = useDeleteTrack(
    (error) => showFailure(error, 'Failed to delete track'),
    () => setDeleting(null),
  )
  const rows = tracks.data?.data ?? []
  return (
    <Card
      ref={keepRowFocus}
      title="Tracks"
      flush
      actions={
        <Button size="small" icon={<IconPlus />} onClick={() => setAdding(true)}>
          Add Tracks
        </Button>
      }
    >
      <div className={styles.list}>
        {tracks.isPending ? (
          Array.from({ length: 4 }, (_, index) => (
            <div key={index} className={styles.row}>
              <Skeleton height="2.5rem" />
            </div>
          ))
        ) : tracks.error && rows.length === 0 ? (
          <ErrorState
            title="Failed to load tracks"
            busy={tracks.isFetching}
            onRetry={() => void tracks.refetch()}
          />
        ) : rows.length === 0 ? (
          <EmptyState
            icon={<IconMusic />}
            title="No tracks in this category yet"
            action={<ButtonLink to="/admin/library">Go to Library to Add Tracks</ButtonLink>}
          />
        ) : (
          <ul className={styles.rows} aria-label={`Tracks in ${category.display_name}`}>
            {rows.map((track) => (
              <TrackLine
                key={track.id}
                track={track}
                list={rows}
                source={category.display_name}
                onDelete={() => setDeleting(track)}
              />
            ))}
          </ul>
        )}
      </div>
      {tracks.data && tracks.data.pagination.total_pages > 1 && (
        <div className={styles.pages}>
          <PageNote label="Tracks" pagination={tracks.data.pagination} onChange={setPage} />
        </div>
      )}
      <AddTracksDialog category={category} open={adding} onClose={() => setAdding(false)} />
      <ConfirmDialog
        open={deleting !== null}
        title={`Delete ${shown?.title ?? 'track'}`}
        message="Are you sure you want to delete this track?"
        confirmLabel="Delete"
        busy={deletion.isPending}
        onConfirm={() => deleting && deletion.mutate(deleting)}
        onCancel={() => setDeleting(null)}
      />
    </Card>
  )
}

interface TrackLineProps {
  track: AdminTrack
  list: readonly AdminTrack[]
  source: string
  onDelete: () => void
}

function TrackLine({ track, list, source, onDelete }: TrackLineProps) {
  return (
    <li className={styles.row}>
      <span className={styles.cover}>
        <PlayCover track={track} list={list} source={source} sizes="40px" />
      </span>
      <span className={layout.grow}>
        <span className={styles.title}>{track.title}</span>
        <span className={styles.note}>
          {track.artist} · {formatDuration(track.duration)}
        </span>
      </span>
      <Badge tone={track.is_published ? 'success' : 'neutral'}>
        {track.is_published ? 'Published' : 'Draft'}
      </Badge>
      <ScreenLink
        to={`/admin/library?edit=${track.id}`}
        className={iconButtonClass('quiet', 'small')}
        aria-label={`Edit ${track.title}`}
        data-tooltip="Edit"
      >
        <IconPencil />
      </ScreenLink>
      <IconButton
        size="small"
        variant="danger"
        label={`Delete ${track.title}`}
        data-control="delete"
        onClick={onDelete}
      >
        <IconTrash />
      </IconButton>
    </li>
  )
}
