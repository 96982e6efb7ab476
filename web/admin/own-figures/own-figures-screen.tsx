// /admin/figures: shows creators the play statistics of their own tracks.
import { IconChartLine } from '#web/base/ui/icons/icons.ts'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { getOwnFigures } from '#contract/creators/own-figures.ts'
import type { Output } from '#contract/endpoint.ts'
import { call } from '../../base/api/api.ts'
import { formatCount } from '../../base/format/format-number.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import listBar from '../shared/lists/list-bar.module.css'
import { PageNote } from '../shared/lists/page-note.tsx'
import { useUrlFilters } from '../shared/lists/use-url-filters.ts'
import styles from './own-figures.module.css'

const dayMs = 24 * 3600_000
const periods = [
  { value: '7', label: 'Last 7 days' },
  { value: '28', label: 'Last 28 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last year' },
]
const defaultDays = '28'

export function OwnFiguresScreen() {
  const { values, page, change, setPage } = useUrlFilters(['days'])
  const [openedAt] = useState(() => Date.now())
  const days = periods.find(({ value }) => value === values.days)?.value ?? defaultDays
  const query = {
    start: new Date(openedAt - (Number(days) - 1) * dayMs).toISOString().slice(0, 10),
    end: new Date(openedAt).toISOString().slice(0, 10),
    page,
  }
  const tracksQuery = useQuery({
    queryKey: ['admin', 'own-figures', query],
    queryFn: ({ signal }) => call(getOwnFigures, { query }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const { data } = tracksQuery
  return (
    <AdminPage
      title="Statistics"
      note="Statistics of your tracks. Days are in UTC. Your own plays don’t count."
    >
      <div className={listBar.bar}>
        <Select
          label="Period"
          hideLabel
          options={periods}
          value={days}
          onChange={({ target }) =>
            change({ days: target.value === defaultDays ? '' : target.value })
          }
        />
      </div>
      <dl className={styles.totals}>
        <Figure name="Plays" value={data?.total.plays} />
        <Figure name="Listeners" value={data?.total.listeners} />
        <Figure name="Minutes played" value={data?.total.heard_minutes} />
      </dl>
      <TrackStatistics tracksQuery={tracksQuery} onPage={setPage} />
    </AdminPage>
  )
}

interface TrackStatisticsProps {
  tracksQuery: UseQueryResult<Output<typeof getOwnFigures>>
  onPage: (page: number) => void
}

function TrackStatistics({ tracksQuery, onPage }: TrackStatisticsProps) {
  const { data } = tracksQuery
  return (
    <DataTable
      label="Tracks"
      stacked
      query={tracksQuery}
      failedTitle="Failed to load the statistics"
      columns={['Track', { number: 'Plays' }, { number: 'Listeners' }, { number: 'Minutes' }]}
      empty={
        <EmptyState
          icon={<IconChartLine />}
          title="No tracks yet"
          message="Statistics appear after one of your published tracks is played."
        />
      }
      footer={data && <PageNote label="Tracks" pagination={data.pagination} onChange={onPage} />}
    >
      {(data?.data ?? []).map((track) => (
        <tr key={track.track_id}>
          <th scope="row">
            <ScreenLink to={`/admin/tracks?edit=${track.track_id}`}>{track.title}</ScreenLink>{' '}
            {!track.is_published && <Badge>Draft</Badge>}
          </th>
          <td data-numeric data-label="Plays">
            {formatCount(track.plays)}
          </td>
          <td data-numeric data-label="Listeners">
            {formatCount(track.listeners)}
          </td>
          <td data-numeric data-label="Minutes">
            {formatCount(track.heard_minutes)}
          </td>
        </tr>
      ))}
    </DataTable>
  )
}

function Figure({ name, value }: { name: string; value: number | undefined }) {
  return (
    <div className={styles.figure}>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.value}>{value === undefined ? '–' : formatCount(value)}</dd>
    </div>
  )
}
