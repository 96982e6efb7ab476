// Figures for releases and tracks that were in early access in the range. Renders nothing if there were none.
import type { EarlyAccessInsight } from '#contract/admin/insights.ts'
import { formatCount } from '../../base/format/format-number.ts'
import { formatDay } from '../shared/format/format-moment.ts'
import { EntityLink } from '../shared/entity-link.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import { PageNote } from '../shared/lists/page-note.tsx'
import { useEarlyAccess, type Days } from './insight-queries.ts'
import styles from './insights-screen.module.css'

export interface EarlyAccessListProps {
  days: Days
  page: number
  onPage: (page: number) => void
}

export function EarlyAccessList({ days, page, onPage }: EarlyAccessListProps) {
  const items = useEarlyAccess(days, page)
  const { data } = items
  if (data?.pagination.total === 0) return null
  return (
    <section className={styles.tracks} aria-labelledby="early-access">
      <header className={styles.tracksHeader}>
        <h2 id="early-access">Early access</h2>
      </header>
      <DataTable
        label="In early access on these days"
        stacked
        columnCount={6}
        query={items}
        failedTitle="Failed to load early access"
        hasDensitySwitch={false}
        head={
          <>
            <th scope="col">Release or track</th>
            <th scope="col">For Premium</th>
            <th scope="col" data-numeric>
              Plays
            </th>
            <th scope="col" data-numeric>
              Previews
            </th>
            <th scope="col" data-numeric>
              New members
            </th>
            <th scope="col" data-numeric>
              After a preview
            </th>
          </>
        }
        empty={null}
        footer={
          data && <PageNote label="Early access" pagination={data.pagination} onChange={onPage} />
        }
      >
        {(data?.data ?? []).map((item) => (
          <Row key={item.id} item={item} />
        ))}
      </DataTable>
    </section>
  )
}

function Row({ item }: { item: EarlyAccessInsight }) {
  const { kind, id, title, artist, early_from, early_until } = item
  return (
    <tr>
      <th scope="row">
        <EntityLink entity={kind} entityKey={id} name={title} />
        {artist && <small className={styles.aside}>{artist}</small>}
      </th>
      <td data-label="For Premium">
        {formatDay(early_from)} – {formatDay(early_until)}
      </td>
      <td data-numeric data-label="Plays">
        {formatCount(item.plays)}
      </td>
      <td data-numeric data-label="Previews">
        {formatCount(item.previews)}
      </td>
      <td data-numeric data-label="New members">
        {formatCount(item.new_members)}
      </td>
      <td data-numeric data-label="After a preview">
        {formatCount(item.conversions)}
      </td>
    </tr>
  )
}
