// Search and filters of the track lists.
import { Select } from '../../base/ui/controls/select.tsx'
import { publishedOptions } from '../availability/published-options.ts'
import { showFailure } from '../shared/admin-failure.ts'
import { useFailureToast } from '../shared/lists/data-table.tsx'
import listBar from '../shared/lists/list-bar.module.css'
import { UrlSearch } from '../shared/lists/url-search.tsx'
import type { TrackFilters } from './track-filters.ts'
import { useCategoryOptions, useGenreOptions } from '../track-data/track-queries.ts'

const stateOptions = [
  { value: 'ready', label: 'Ready' },
  { value: 'processing', label: 'Processing' },
  { value: 'pending', label: 'Waiting' },
  { value: 'failed', label: 'Failed' },
  { value: 'damaged', label: 'File damaged' },
]

export function TrackToolbar({ filters }: { filters: TrackFilters }) {
  const { values, change } = filters
  const categories = useCategoryOptions()
  const genres = useGenreOptions()
  useFailureToast(categories.error, (error) => showFailure(error, 'Failed to load categories'))
  return (
    <div className={listBar.bar}>
      <div className={listBar.search}>
        <UrlSearch
          label="Search tracks"
          placeholder="Search tracks..."
          value={values.q}
          onSearch={(q) => change({ q }, { replace: true })}
        />
      </div>
      <Select
        label="Category"
        hideLabel
        placeholder="All categories"
        options={categories.data ?? []}
        value={values.category}
        onChange={(event) => change({ category: event.target.value })}
      />
      <Select
        label="Genre"
        hideLabel
        placeholder="All genres"
        options={genres.data ?? []}
        value={values.genre}
        onChange={(event) => change({ genre: event.target.value })}
      />
      <Select
        label="Published"
        hideLabel
        placeholder="Any publication state"
        options={publishedOptions}
        value={values.published}
        onChange={(event) => change({ published: event.target.value })}
      />
      <Select
        label="State"
        hideLabel
        placeholder="Any processing state"
        options={stateOptions}
        value={values.state}
        onChange={(event) => change({ state: event.target.value })}
      />
    </div>
  )
}
