// Browse shows the catalogue by view, category and search.
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { lazyComponent } from '../../base/ui/layout/lazy-component.tsx'
import { TrackActionsProvider } from '../catalogue/track-menu.tsx'
import { viewLabels } from './browse-filters.ts'
import styles from './browse-page.module.css'
import { BrowseTracks } from './browse-tracks.tsx'
import { categoriesQuery } from '../catalogue/queries/categories-query.ts'
import { similarTracksOptions } from '../catalogue/queries/radio-queries.ts'
import { FilterSidebar } from './filter-sidebar.tsx'
import { OtherVersions } from './other-versions.tsx'
import { SharedTrack } from './shared-track.tsx'
import { SimilarTracks } from './similar-tracks.tsx'
import { useBrowseFilters } from './use-browse-filters.ts'

// Loaded on demand, because Browse opens with the tracks view.
const BrowseArtists = lazyComponent(
  async () => (await import('./browse-artists.tsx')).BrowseArtists,
)
const BrowsePlaylists = lazyComponent(
  async () => (await import('./browse-playlists.tsx')).BrowsePlaylists,
)
const BrowseReleases = lazyComponent(
  async () => (await import('./browse-releases.tsx')).BrowseReleases,
)

export function BrowsePage() {
  const browse = useBrowseFilters()
  const { filters } = browse
  const { data: categories, isError, refetch } = useQuery(categoriesQuery)
  const category = categories?.find((known) => known.category === filters.category)
  const sharedTrackId = useSearchParams()[0].get('track')
  const similar = useQuery({
    ...similarTracksOptions(sharedTrackId ?? ''),
    enabled: sharedTrackId !== null,
  })
  // Similar tracks are above the list. Render the list after them, so that it doesn't shift.
  const isListReady = !similar.isLoading || similar.failureCount > 0
  const title = filters.category
    ? (category?.display_name ?? viewLabels.all)
    : viewLabels[filters.view]
  return (
    <TrackActionsProvider>
      <div className={styles.page}>
        <FilterSidebar
          filters={filters}
          categories={categories}
          onRetryCategories={isError ? () => void refetch() : undefined}
          onView={browse.chooseView}
          onCategory={browse.toggleCategory}
        />
        <div className={styles.content}>
          {sharedTrackId && <SharedTrack id={sharedTrackId} />}
          {sharedTrackId && <OtherVersions id={sharedTrackId} />}
          {sharedTrackId && <SimilarTracks id={sharedTrackId} />}
          {!isListReady ? null : filters.view === 'playlists' ? (
            <BrowsePlaylists title={title} />
          ) : filters.view === 'releases' ? (
            <BrowseReleases browse={browse} title={title} />
          ) : filters.view === 'artists' ? (
            <BrowseArtists title={title} browse={browse} />
          ) : (
            <BrowseTracks
              {...{ browse, title, categories }}
              haveCategoriesFailed={isError}
              description={category?.description ?? null}
            />
          )}
        </div>
      </div>
    </TrackActionsProvider>
  )
}
