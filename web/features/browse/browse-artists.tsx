// The Artists view of Browse: all artists with published music, sorted by name, with a search.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { IconUserOff } from '#web/base/ui/icons/icons.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { ArtistCard, ArtistCards, ArtistCardsSkeleton } from '../catalogue/cards/artist-card.tsx'
import { artistListOptions } from '../catalogue/queries/artist-queries.ts'
import styles from './browse-artists.module.css'
import { BrowseSearch } from './browse-search.tsx'
import type { useBrowseFilters } from './use-browse-filters.ts'

export function BrowseArtists({
  title,
  browse,
}: {
  title: string
  browse: ReturnType<typeof useBrowseFilters>
}) {
  const { q } = browse.filters
  const list = useInfiniteQuery({ ...artistListOptions(q), placeholderData: keepPreviousData })
  const artists = list.data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      <header className={styles.header}>
        <h1 className={styles.title}>{title}</h1>
        <BrowseSearch what="artists" value={browse.text} onChange={browse.type} />
      </header>
      {list.isPending && <ArtistCardsSkeleton />}
      {list.isError && artists.length === 0 && (
        <ErrorState
          title="The artists could not be loaded"
          message={errorText(list.error)}
          busy={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isSuccess && artists.length === 0 && (
        <EmptyState
          icon={<IconUserOff />}
          title="No artists found"
          message={
            q
              ? `No artists match “${q}”.`
              : 'Artists appear here once their first track is published.'
          }
          action={q ? <Button onClick={browse.clear}>Clear filters</Button> : undefined}
        />
      )}
      {artists.length > 0 && (
        <ArtistCards label={title}>
          {artists.map((artist) => (
            <li key={artist.id}>
              <ArtistCard artist={artist} />
            </li>
          ))}
        </ArtistCards>
      )}
      {list.hasNextPage && (
        <div className={styles.more}>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  )
}
