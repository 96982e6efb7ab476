// The filters of Browse: views, then categories. A column beside the list, or rows of chips above it in narrow
// windows.
import {
  IconDisc,
  IconHeart,
  IconPlaylist,
  IconRefresh,
  IconUsers,
  IconVinyl,
} from '#web/base/ui/icons/icons.ts'
import type { Category } from '#contract/categories.ts'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { browseViews, viewLabels, type BrowseFilters, type BrowseView } from './browse-filters.ts'
import styles from './filter-sidebar.module.css'

const viewIcons = {
  all: IconDisc,
  releases: IconVinyl,
  artists: IconUsers,
  liked: IconHeart,
  playlists: IconPlaylist,
}

export interface FilterSidebarProps {
  filters: BrowseFilters
  /** Undefined while loading. */
  categories: readonly Category[] | undefined
  /** Loads the categories again. Set if they failed to load. */
  onRetryCategories?: (() => void) | undefined
  onView: (view: BrowseView) => void
  onCategory: (category: string) => void
}

export function FilterSidebar(props: FilterSidebarProps) {
  const { filters, categories, onRetryCategories, onView, onCategory } = props
  return (
    <aside className={styles.sidebar} aria-label="Filters">
      <ul className={styles.group}>
        {browseViews.map((view) => {
          const Icon = viewIcons[view]
          return (
            <li key={view}>
              <button
                type="button"
                className={styles.filter}
                aria-pressed={filters.view === view && !filters.category}
                onClick={() => onView(view)}
              >
                <Icon aria-hidden="true" />
                {viewLabels[view]}
              </button>
            </li>
          )
        })}
      </ul>
      <h2 className={styles.heading} id="categories">
        Categories
      </h2>
      <ul className={styles.group} aria-labelledby="categories">
        {categories?.map(({ category, display_name, track_count }) => (
          <li key={category}>
            <button
              type="button"
              className={styles.filter}
              aria-pressed={filters.category === category}
              onClick={() => onCategory(category)}
            >
              <span className={styles.name}>{display_name}</span>
              <span className={styles.count} aria-hidden="true">
                {track_count.toLocaleString('en')}
              </span>
            </button>
          </li>
        )) ??
          (onRetryCategories ? (
            <CategoriesMissing onRetry={onRetryCategories} />
          ) : (
            <CategorySkeleton />
          ))}
      </ul>
    </aside>
  )
}

function CategoriesMissing({ onRetry }: { onRetry: () => void }) {
  return (
    <li role="alert">
      <button type="button" className={styles.filter} onClick={onRetry}>
        <IconRefresh aria-hidden="true" />
        Failed to load. Retry
      </button>
    </li>
  )
}

function CategorySkeleton() {
  return Array.from({ length: 5 }, (_, index) => (
    <li key={index} className={styles.skeleton}>
      <Skeleton width={`${70 - index * 6}%`} height="1.25rem" />
    </li>
  ))
}
