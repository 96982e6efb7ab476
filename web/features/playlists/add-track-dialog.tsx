// Lists all published tracks, to add to the open playlist.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { IconCheck, IconPlus } from '#web/base/ui/icons/icons.ts'
import { useCallback, useMemo, useState } from 'react'
import type { Playlist } from '#contract/playlists.ts'
import { searchMaxLength, type Track } from '#contract/tracks.ts'
import { errorText } from '../../base/api/show-error.ts'
import { usePlaylistActions } from '../catalogue/playlist-actions.tsx'
import { PickTrackRow } from '../catalogue/cards/pick-track-row.tsx'
import { TrackListSkeleton } from '../catalogue/track-list.tsx'
import { trackListOptions } from '../catalogue/queries/track-queries.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { ScrollList } from '../../base/ui/lists/scroll-list.tsx'
import { SearchField } from '../../base/ui/controls/search-field.tsx'
import styles from './add-track-dialog.module.css'
import { useSettled } from '../../base/ui/layout/use-settled.ts'

export interface AddTrackDialogProps {
  open: boolean
  playlist: Playlist
  /** Ids of the tracks loaded so far. The server has the complete list. */
  known: ReadonlySet<string>
  onClose: () => void
}

export function AddTrackDialog({ open, playlist, known, onClose }: AddTrackDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add Track"
      description={`To “${playlist.title}”`}
      size="large"
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <AllTracks {...{ playlist, known }} />
    </Dialog>
  )
}

const rowHeightPx = 60
const typingPauseMs = 180

function AllTracks({ playlist, known }: Pick<AddTrackDialogProps, 'playlist' | 'known'>) {
  const [text, setText] = useState('')
  const q = useSettled(text.trim(), typingPauseMs)
  const list = useInfiniteQuery({
    // Sort by title, as specified. A search sorts by relevance.
    ...trackListOptions(q ? { q } : { order: 'title' }),
    placeholderData: keepPreviousData,
  })
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const tracks = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data])
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])

  return (
    <div className={styles.content}>
      <SearchField
        label="Search tracks"
        placeholder="Search tracks..."
        data-autofocus
        maxLength={searchMaxLength}
        value={text}
        onChange={setText}
      />
      <div className={styles.results}>
        {list.isPending && <TrackListSkeleton rows={6} />}
        {list.isError && tracks.length === 0 && (
          <ErrorState
            title="The tracks could not be loaded"
            message={errorText(list.error)}
            busy={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        )}
        {list.isSuccess && tracks.length === 0 && <EmptyState title="No tracks found" />}
        {tracks.length > 0 && (
          <ScrollList
            label="Published tracks"
            items={tracks}
            getKey={(track) => track.id}
            rowHeightPx={rowHeightPx}
            total={data?.pages[0]?.total ?? tracks.length}
            onEndReached={loadMore}
            renderItem={(track) => (
              <PickTrackRow track={track}>
                <AddButton {...{ playlist, track }} isIn={known.has(track.id)} />
              </PickTrackRow>
            )}
          />
        )}
      </div>
    </div>
  )
}

function AddButton(props: { playlist: Playlist; track: Track; isIn: boolean }) {
  const { playlist, track, isIn } = props
  const { addTrack } = usePlaylistActions()
  const [state, setState] = useState<'out' | 'joining' | 'in'>('out')
  async function add() {
    setState('joining')
    setState((await addTrack(playlist, track)) ? 'in' : 'out')
  }
  if (isIn || state === 'in') {
    return (
      <span className={styles.added}>
        <IconCheck aria-hidden="true" />
        Added
      </span>
    )
  }
  return (
    <Button
      size="small"
      icon={<IconPlus />}
      busy={state === 'joining'}
      aria-label={`Add ${track.title}`}
      onClick={() => void add()}
    >
      Add
    </Button>
  )
}
