// Dialog that sets this category as the category of the chosen tracks.
import { useDeferredValue, useState } from 'react'
import { addTracksToCategory } from '#contract/admin/admin-categories.ts'
import type { Category } from '#contract/categories.ts'
import { call } from '../../base/api/api.ts'
import { formatCount, formatDuration } from '../../base/format/format-duration.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Checkbox } from '../../base/ui/controls/checkbox.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { SearchField } from '../../base/ui/controls/search-field.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { showReason } from '../shared/admin-failure.ts'
import { PlayCover } from '../listen/play-track.tsx'
import { useAdminTracks, useCategoryOptions } from '../track-data/track-queries.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './category-screen.module.css'
import layout from '../../base/ui/layout/layout.module.css'

/** The largest page that the server returns. Other tracks can be found with the search. */
const maxShown = 200

export interface AddTracksDialogProps {
  category: Category
  open: boolean
  onClose: () => void
}

export function AddTracksDialog({ category, open, onClose }: AddTracksDialogProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const adding = useAdminMutation({
    run: () =>
      call(addTracksToCategory, {
        params: { id: category.id },
        body: { track_ids: [...chosen] },
      }),
    refresh: ['tracks', 'categories'],
    done: ({ updated }: { updated: number }) =>
      `${formatCount(updated, 'track', 'tracks')} added to ${category.display_name}`,
    onDone: close,
    failed: (error) => showReason(error, 'Failed to add tracks'),
  })

  function close() {
    setChosen(new Set())
    onClose()
  }
  function add() {
    if (chosen.size > 0) return adding.mutate()
    showToast({
      tone: 'destructive',
      title: 'No tracks selected',
      message: 'Please select at least one track.',
    })
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title="Add Tracks"
      description={`Selected tracks move from their current category to ${category.display_name}.`}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" busy={adding.isPending} onClick={add}>
            {chosen.size > 0 ? `Add ${formatCount(chosen.size, 'track', 'tracks')}` : 'Add Tracks'}
          </Button>
        </>
      }
    >
      <TrackChoices category={category} chosen={chosen} onChoose={setChosen} />
    </Dialog>
  )
}

interface TrackChoicesProps {
  category: Category
  chosen: ReadonlySet<string>
  onChoose: (ids: ReadonlySet<string>) => void
}

function TrackChoices({ category, chosen, onChoose }: TrackChoicesProps) {
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const categories = useCategoryOptions()
  const tracks = useAdminTracks({
    not_category: category.category,
    sort: 'title',
    direction: 'asc',
    page_size: maxShown,
    ...(q && { q }),
  })
  const rows = tracks.data?.data ?? []
  const total = tracks.data?.pagination.total ?? 0

  function choose(id: string, isChosen: boolean) {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    onChoose(next)
  }

  return (
    <div className={layout.stack3}>
      <SearchField
        label="Search tracks"
        placeholder="Search tracks..."
        value={text}
        onChange={setText}
      />
      {tracks.isPending && <Skeleton height="12rem" />}
      {tracks.error && rows.length === 0 && (
        <ErrorState
          title="Failed to load tracks"
          busy={tracks.isFetching}
          onRetry={() => void tracks.refetch()}
        />
      )}
      {tracks.data && rows.length === 0 && <EmptyState title="No tracks found" />}
      {rows.length > 0 && (
        <ul className={styles.choices} aria-label="Tracks of other categories">
          {rows.map((track) => (
            <li key={track.id}>
              <div className={styles.choice}>
                <Checkbox
                  id={`choose-${track.id}`}
                  label={`Select ${track.title}`}
                  hideLabel
                  checked={chosen.has(track.id)}
                  onChange={(event) => choose(track.id, event.target.checked)}
                />
                <span className={styles.cover}>
                  <PlayCover track={track} list={rows} source="Add Tracks" sizes="40px" />
                </span>
                <label className={layout.grow} htmlFor={`choose-${track.id}`}>
                  <span className={styles.title}>{track.title}</span>
                  <span className={styles.note}>
                    {track.artist} · {formatDuration(track.duration)}
                  </span>
                </label>
                <Badge>
                  {categories.data?.find(({ value }) => value === track.category)?.label ??
                    'No category'}
                </Badge>
              </div>
            </li>
          ))}
        </ul>
      )}
      {total > rows.length && (
        <p className={styles.note}>
          Only the first {rows.length} of {total.toLocaleString('en')} are listed. Use the search to
          find others.
        </p>
      )}
    </div>
  )
}
