// The most played tracks of the selected days. A click on a row opens the insights of that track.
import { IconChartLine } from '#web/base/ui/icons/icons.ts'
import { topTrackSorts, type TopTrack, type TopTrackSort } from '#contract/admin/insights.ts'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { formatCount, formatShare } from '../../base/format/format-number.ts'
import { StatisticsTable, type StatisticColumn } from './statistics-table.tsx'
import { useTopTracks, type Days } from './insight-queries.ts'
import styles from './insights-screen.module.css'

const sortOptions = [
  { value: 'plays', label: 'Most plays' },
  { value: 'previews', label: 'Most previews' },
  { value: 'completion', label: 'Highest completion' },
  { value: 'conversions', label: 'Most Premium conversions' },
] as const satisfies readonly { value: TopTrackSort; label: string }[]

const columns: readonly StatisticColumn<TopTrack>[] = [
  { label: 'Plays', show: ({ plays }) => formatCount(plays) },
  { label: 'Previews', show: ({ previews }) => formatCount(previews) },
  {
    label: 'Completion',
    show: ({ starts, completed }) => formatShare(starts === 0 ? null : completed / starts),
  },
  { label: 'Premium conversions', show: ({ conversions }) => formatCount(conversions) },
]

export interface TopTracksProps {
  days: Days
  /** The sort order, as in the URL. */
  sort: string
  page: number
  onSort: (sort: string) => void
  onPage: (page: number) => void
  onOpen: (trackId: string) => void
}

export function TopTracks({ days, sort, page, onSort, onPage, onOpen }: TopTracksProps) {
  const chosen = topTrackSorts.find((value) => value === sort) ?? 'plays'
  const tracks = useTopTracks(days, chosen, page)
  return (
    <StatisticsTable
      id="top-tracks"
      title="Top tracks"
      choice={
        <Select
          label="Sort tracks by"
          hideLabel
          options={sortOptions}
          value={chosen}
          onChange={({ target }) => onSort(target.value === 'plays' ? '' : target.value)}
        />
      }
      label="Top tracks in this period"
      failedTitle="Failed to load tracks"
      query={tracks}
      nameLabel="Track"
      keyOf={({ track_id }) => track_id}
      showName={({ track_id, title, artist }) => (
        <button type="button" className={styles.track} onClick={() => onOpen(track_id)}>
          <span>{title}</span>
          <small>{artist}</small>
        </button>
      )}
      columns={columns}
      empty={<EmptyState icon={<IconChartLine />} title="No plays in this period" />}
      onPage={onPage}
    />
  )
}
