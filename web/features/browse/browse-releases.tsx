// The Releases view of Browse: all published releases, newest first, filtered by kind and search.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { IconVinyl } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { releaseKinds, type ReleaseKind } from '#contract/fields/release-fields.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { PlaylistCards, PlaylistCardsSkeleton } from '../catalogue/cards/playlist-card.tsx'
import { releaseListOptions } from '../catalogue/queries/release-queries.ts'
import { ReleaseCard } from '../catalogue/cards/release-card.tsx'
import styles from './browse-releases.module.css'
import { BrowseSearch } from './browse-search.tsx'
import type { useBrowseFilters } from './use-browse-filters.ts'

export interface BrowseReleasesProps {
  browse: ReturnType<typeof useBrowseFilters>
  title: string
}

export function BrowseReleases({ browse, title }: BrowseReleasesProps) {
  const { q } = browse.filters
  const [kind, setKind] = useState<ReleaseKind>()
  const list = useInfiniteQuery({
    ...releaseListOptions({ ...(q && { q }), ...(kind && { kind }) }),
    placeholderData: keepPreviousData,
  })
  const releases = list.data?.pages.flatMap((page) => page.data) ?? []
  return (
    <>
      <header className={styles.header}>
        <h1 className={styles.title}>{title}</h1>
        <BrowseSearch what="releases" value={browse.text} onChange={browse.type} />
        <KindChoice kind={kind} onChange={setKind} />
      </header>
      {list.isPending && <PlaylistCardsSkeleton />}
      {list.isError && releases.length === 0 && (
        <ErrorState
          title="The releases could not be loaded"
          message={errorText(list.error)}
          busy={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isSuccess && releases.length === 0 && (
        <EmptyState
          icon={<IconVinyl />}
          title={q || kind ? 'No releases found' : 'No releases yet'}
          message={
            q || kind
              ? 'Try another search or release type.'
              : 'Albums, EPs and singles will appear here.'
          }
        />
      )}
      {releases.length > 0 && (
        <PlaylistCards label={title}>
          {releases.map((release) => (
            <li key={release.id}>
              <ReleaseCard release={release} />
            </li>
          ))}
        </PlaylistCards>
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

interface KindChoiceProps {
  kind: ReleaseKind | undefined
  onChange: (kind: ReleaseKind | undefined) => void
}

/** Buttons for the kinds of releases. Choosing the current kind again shows all releases. */
function KindChoice({ kind, onChange }: KindChoiceProps) {
  return (
    <div className={styles.kinds} role="group" aria-label="Kind">
      {releaseKinds.map((one) => (
        <button
          key={one}
          type="button"
          className={styles.kind}
          aria-pressed={kind === one}
          onClick={() => onChange(kind === one ? undefined : one)}
        >
          {kindPlurals[one]}
        </button>
      ))}
    </div>
  )
}

const kindPlurals: Record<ReleaseKind, string> = {
  single: 'Singles',
  ep: 'EPs',
  album: 'Albums',
  compilation: 'Compilations',
}
