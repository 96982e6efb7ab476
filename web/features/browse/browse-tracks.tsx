// The tracks that match the filters of Browse, below search, Play All and Shuffle.
import {
  keepPreviousData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import { IconMusicOff, IconX } from '#web/base/ui/icons/icons.ts'
import { memo, useCallback, useDeferredValue, useMemo, type ReactNode } from 'react'
import type { Category } from '#contract/categories.ts'
import type { Track } from '#contract/tracks.ts'
import { errorText } from '../../base/api/show-error.ts'
import { formatDay } from '../../base/format/format-day.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { TrackList, TrackListSkeleton } from '../catalogue/track-list.tsx'
import { trackListOptions, type TrackFilters } from '../catalogue/queries/track-queries.ts'
import { categoriesOf } from '../catalogue/track-categories.ts'
import { TrackRow, TrackRowHeader } from '../catalogue/track-row.tsx'
import { TrackRowActions } from '../catalogue/track-row-actions.tsx'
import { usePlayList } from '../catalogue/use-play-list.ts'
import { Shelves, useShelves } from '../home/shelves.tsx'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import styles from './browse-tracks.module.css'
import { BrowseSearch } from './browse-search.tsx'
import type { PlayableList } from '../player/queue/playable-list.ts'
import { ListTools } from '../catalogue/list-tools/list-tools.tsx'
import { useTrackSelection, type TrackSelection } from '../catalogue/selection/track-selection.ts'
import { fetchMoreTracks } from './fetch-more-tracks.ts'
import { ListButtons } from './list-buttons.tsx'
import type { useBrowseFilters } from './use-browse-filters.ts'
import { useRefreshInView } from './use-refresh-in-view.ts'

export interface BrowseTracksProps {
  browse: ReturnType<typeof useBrowseFilters>
  title: string
  description: string | null
  categories: readonly Category[] | undefined
  /** True if the categories failed to load. */
  haveCategoriesFailed: boolean
}

/** Fetch the next page this many rows before the end. */
const aheadRows = 30
const facetNames = ['Genre', 'Category', 'Added']

export function BrowseTracks(props: BrowseTracksProps) {
  const { browse, title, description, categories, haveCategoriesFailed } = props
  const { view, category, mood, q } = browse.filters
  const { order, direction } = browse.filters.sort ?? {}
  const filters: TrackFilters = useMemo(
    () => ({
      ...(q && { q }),
      ...(category && { category }),
      ...(mood && { mood }),
      ...(view === 'liked' && { liked: true }),
      ...(order && { order }),
      ...(direction && { direction }),
    }),
    [q, category, mood, view, order, direction],
  )
  const list = useInfiniteQuery({
    ...trackListOptions(filters),
    placeholderData: keepPreviousData,
  })
  const { data } = list
  const tracks = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data])
  const total = data?.pages[0]?.total ?? tracks.length
  const nextCursor = data?.pages.at(-1)?.next_cursor ?? null
  const refreshInView = useRefreshInView(filters)

  const playable = (): PlayableList => ({
    loaded: tracks,
    rest: nextCursor
      ? (signal) => fetchMoreTracks(filters, nextCursor, tracks.length, signal)
      : null,
  })
  const { start, isShuffling } = usePlayList({
    source: title,
    context: view === 'liked' && !q ? { kind: 'likes' } : undefined,
    list: playable,
  })
  const selection = useTrackSelection(playable, filters)
  const playRow = useCallback((index: number) => start({ startIndex: index }), [start])
  const isOld = useDeferredValue(list.isPlaceholderData)
  const showsShelves = view === 'all' && !category && !mood && !q
  const shelves = useShelves(showsShelves, props)
  // Render the list after the shelves above it, so that it doesn't shift.
  const isLoading = list.isPending || shelves.isLoading
  const isCounted = data !== undefined && !list.isPlaceholderData

  if (category && !categories && !haveCategoriesFailed) return <LoadingTracks />
  return (
    <>
      <BrowseHeader {...{ browse, title, description }} count={isCounted ? total : null}>
        <ListButtons {...{ browse, start, isShuffling }} disabled={tracks.length === 0} />
      </BrowseHeader>
      {showsShelves && !isLoading && <Shelves {...shelves} />}
      {isLoading && <LoadingTracks />}
      {list.isError && tracks.length === 0 && (
        <ErrorState
          title="Your music could not be loaded"
          message={errorText(list.error)}
          busy={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isSuccess && tracks.length === 0 && <NoTracks browse={browse} />}
      {tracks.length > 0 && !isLoading && (
        <div className={styles.list} data-old={(isOld && list.isPlaceholderData) || undefined}>
          <FoundTracks
            {...{ title, tracks, total, list, categories, selection, browse }}
            onPlay={playRow}
            onRange={refreshInView}
          />
        </div>
      )}
    </>
  )
}

/** Shows the mood filter as a button that removes it. */
function MoodButton({ browse }: Pick<BrowseTracksProps, 'browse'>) {
  const { mood } = browse.filters
  if (!mood) return null
  return (
    <p className={styles.mood}>
      <Button size="small" icon={<IconX />} onClick={browse.clearMood}>
        <VisuallyHidden>Clear </VisuallyHidden>Mood: {mood}
      </Button>
    </p>
  )
}

type BrowseHeaderProps = Pick<BrowseTracksProps, 'browse' | 'title' | 'description'> & {
  /** The number of matching tracks; null while loading. */
  count: number | null
  children: ReactNode
}

function BrowseHeader({ browse, title, description, count, children }: BrowseHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.heading}>
        <h1 className={styles.title}>{title}</h1>
        {description && <p className={styles.description}>{description}</p>}
        <p className={styles.count} role="status">
          {count === null ? '\u00a0' : formatCount(count, 'track', 'tracks')}
        </p>
        <MoodButton browse={browse} />
      </div>
      <BrowseSearch value={browse.text} onChange={browse.type} />
      {children}
    </header>
  )
}

interface FoundTracksProps {
  title: string
  tracks: readonly Track[]
  total: number
  list: Pick<
    UseInfiniteQueryResult,
    'error' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >
  categories: readonly Category[] | undefined
  selection: TrackSelection
  browse: BrowseTracksProps['browse']
  onPlay: (index: number) => void
  onRange: (first: number, last: number) => void
}

/** The list of matching tracks, which fetches its next page ahead of the scroll position. */
function FoundTracks(props: FoundTracksProps) {
  const { title, tracks, total, list, categories, selection, browse, onPlay, onRange } = props
  const { q, sort } = browse.filters
  const { error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const categoryName = useCategoryNames(categories)
  return (
    <>
      <ListTools
        {...{ selection, sort }}
        source={title}
        onSort={browse.sort}
        ownOrder={q ? 'Best match' : 'Newest first'}
      />
      <TrackList
        label={title}
        selection={selection}
        count={tracks.length}
        total={total}
        trackAt={(index) => tracks[index]}
        onPlay={onPlay}
        header={<TrackRowHeader facets={facetNames} sort={sort} onSort={browse.sort} />}
        onRange={(first, last) => {
          onRange(first, last)
          const isNear = last >= tracks.length - aheadRows
          if (isNear && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) {
            void fetchNextPage()
          }
        }}
        renderRow={(track, index, inTabOrder) => (
          <BrowseRow {...{ track, index, inTabOrder, categoryName }} onPlay={onPlay} />
        )}
      />
      {isFetchingNextPage && <TrackListSkeleton rows={3} />}
      {isFetchNextPageError && (
        <ErrorState
          title="The next tracks could not be loaded"
          message={errorText(error)}
          onRetry={() => void fetchNextPage()}
        />
      )}
    </>
  )
}

interface BrowseRowProps {
  track: Track
  index: number
  inTabOrder: boolean
  categoryName: (slug: string | null) => string | null
  onPlay: (index: number) => void
}

const BrowseRow = memo(function BrowseRow(props: BrowseRowProps) {
  const { track, index, inTabOrder, categoryName, onPlay } = props
  const { genre, created_at } = track
  const facets = useMemo(
    () => [
      genre,
      categoriesOf(track)
        .flatMap((slug) => categoryName(slug) ?? [])
        .join(', ') || null,
      formatDay(created_at),
    ],
    [genre, track, created_at, categoryName],
  )
  const actions = useMemo(
    () => <TrackRowActions track={track} inTabOrder={inTabOrder} />,
    [track, inTabOrder],
  )
  return <TrackRow {...{ track, index, inTabOrder, facets, onPlay, actions }} />
})

/** Returns a function from a category's slug to its name. Members see only the names of visible categories. */
function useCategoryNames(categories: readonly Category[] | undefined) {
  return useMemo(() => {
    const names = new Map(categories?.map((known) => [known.category, known.display_name]))
    return (slug: string | null) => (slug && names.get(slug)) || null
  }, [categories])
}

function LoadingTracks() {
  return (
    <div className={styles.loading}>
      <p role="status">Loading your music...</p>
      <TrackListSkeleton />
    </div>
  )
}

function NoTracks({ browse }: Pick<BrowseTracksProps, 'browse'>) {
  const { view, category, mood, q } = browse.filters
  const message = q
    ? `No tracks match “${q}”.`
    : view === 'liked'
      ? 'Tap the heart next to a track to save it here.'
      : 'Music appears here as soon as it is published.'
  return (
    <EmptyState
      icon={<IconMusicOff />}
      title="No tracks found"
      message={message}
      action={
        q || category || mood ? (
          <Button onClick={browse.clear}>Clear filters</Button>
        ) : (
          view === 'liked' && (
            <Button onClick={() => browse.chooseView('all')}>Browse all tracks</Button>
          )
        )
      }
    />
  )
}
