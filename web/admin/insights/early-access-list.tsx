// Statistics of releases, tracks and curated playlists that were in early access during the selected days. Renders
// nothing if there are none.
import type { EarlyAccessInsight } from '#contract/admin/insights.ts'
import { formatCount } from '../../base/format/format-number.ts'
import { EntityLink } from '../shared/entity-link.tsx'
import { formatDay } from '../shared/format/format-moment.ts'
import { StatisticsTable, type StatisticColumn } from './statistics-table.tsx'
import { useEarlyAccess, type Days } from './insight-queries.ts'
import styles from './insights-screen.module.css'

const columns: readonly StatisticColumn<EarlyAccessInsight>[] = [
  {
    label: 'Early access',
    isText: true,
    show: ({ early_from, early_until }) => `${formatDay(early_from)} – ${formatDay(early_until)}`,
  },
  { label: 'Plays', show: ({ plays }) => formatCount(plays) },
  { label: 'Previews', show: ({ previews }) => formatCount(previews) },
  { label: 'New members', show: ({ new_members }) => formatCount(new_members) },
  { label: 'After a preview', show: ({ conversions }) => formatCount(conversions) },
]

export interface EarlyAccessListProps {
  days: Days
  page: number
  onPage: (page: number) => void
}

export function EarlyAccessList({ days, page, onPage }: EarlyAccessListProps) {
  const query = useEarlyAccess(days, page)
  if (query.data?.pagination.total === 0) return null
  return (
    <StatisticsTable
      id="early-access"
      title="Early access"
      label="Early access in this period"
      failedTitle="Failed to load early access"
      query={query}
      nameLabel="Release, track or playlist"
      keyOf={({ id }) => id}
      showName={({ kind, id, title, artist }) => (
        <>
          <EntityLink entity={kind} entityKey={id} name={title} />
          <small className={styles.aside}>{kind === 'playlist' ? 'Playlist' : artist}</small>
        </>
      )}
      columns={columns}
      empty={null}
      onPage={onPage}
    />
  )
}
