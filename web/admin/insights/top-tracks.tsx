// The most played tracks of the range. Each opens its insights.
import { IconChartLine } from '#web/base/ui/icons/icons.ts'
import { topTrackSorts, type TopTrackSort } from '#contract/admin/insights.ts'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import { PageNote } from '../shared/lists/page-note.tsx'
import { formatCount, formatShare } from '../../base/format/format-number.ts'
import { useTopTracks, type Days } from './insight-queries.ts'
import styles from './insights-screen.module.css'

const sortOptions = [
  { value: 'plays', label: 'Most plays' },
  { value: 'previews', label: 'Most previews' },
  { value: 'completion', label: 'Most heard to the end' },
  { value: 'conversions', label: 'Led most to Premium' },
] as const satisfies readonly { value: TopTrackSort; label: string }[]

export interface TopTracksProps {
  days: Days
  /** The value in the URL. */
  sort: string
  page: number
  onSort: (sort: string) => void
  onPage: (page: number) => void
  onOpen: (trackId: string) => void
}

export function TopTracks({ days, sort, page, onSort, onPage, onOpen }: TopTracksProps) {
  const chosen = topTrackSorts.find((value) => value === sort) ?? 'plays'
  const tracks = useTopTracks(days, chosen, page)
  const { data } = tracks
  return (
    <section className={styles.tracks} aria-labelledby="top-tracks">
      <header className={styles.tracksHeader}>
        <h2 id="top-tracks">Top tracks</h2>
        <Select
          label="Order of the tracks"
          hideLabel
          options={sortOptions}
          value={chosen}
          onChange={({ target }) => onSort(target.value === 'plays' ? '' : target.value)}
        />
      </header>
      <DataTable
        label="Tracks of these days"
        stacked
        columnCount={5}
        query={tracks}
        failedTitle="Failed to load tracks"
        head={
          <>
            <th scope="col">Track</th>
            <th scope="col" data-numeric>
              Plays
            </th>
            <th scope="col" data-numeric>
              Previews
            </th>
            <th scope="col" data-numeric>
              To the end
            </th>
            <th scope="col" data-numeric>
              Led to Premium
            </th>
          </>
        }
        empty={<EmptyState icon={<IconChartLine />} title="Nothing was played in these days" />}
        footer={
          data &&
          data.pagination.total > 0 && (
            <PageNote label="Top tracks" pagination={data.pagination} onChange={onPage} />
          )
        }
      >
        {(data?.data ?? []).map((track) => (
          <tr key={track.track_id}>
            <th scope="row">
              <button type="button" className={styles.track} onClick={() => onOpen(track.track_id)}>
                <span>{track.title}</span>
                <small>{track.artist}</small>
              </button>
            </th>
            <td data-numeric data-label="Plays">
              {formatCount(track.plays)}
            </td>
            <td data-numeric data-label="Previews">
              {formatCount(track.previews)}
            </td>
            <td data-numeric data-label="To the end">
              {formatShare(track.starts === 0 ? null : track.completed / track.starts)}
            </td>
            <td data-numeric data-label="Led to Premium">
              {formatCount(track.conversions)}
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  )
}
