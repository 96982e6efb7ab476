// Statistics of each public page, from shares and visits to sign-ups and first payments.
import { IconChartLine } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import type { PageInsight } from '#contract/admin/insights.ts'
import { pagePath, type PageKind } from '#contract/public-pages.ts'
import { formatCount } from '../../base/format/format-number.ts'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { DataTable } from '../shared/lists/data-table.tsx'
import { PageNote } from '../shared/lists/page-note.tsx'
import { usePageInsights, type Days } from './insight-queries.ts'
import styles from './insights-screen.module.css'

const kindLabels: Record<PageKind, string> = {
  track: 'Track',
  release: 'Release',
  artist: 'Artist',
  playlist: 'Playlist',
  category: 'Category',
}

const statistics = [
  ['shares', 'Shares'],
  ['visits', 'Visits'],
  ['previews', 'Previews'],
  ['sign_ups', 'Sign-ups'],
  ['paid', 'First payments'],
] as const satisfies readonly (readonly [keyof PageInsight, string])[]

export function PublicPages({ days }: { days: Days }) {
  const [page, setPage] = useState(1)
  const pages = usePageInsights(days, page)
  const { data } = pages
  return (
    <section className={styles.tracks} aria-labelledby="public-pages">
      <header className={styles.tracksHeader}>
        <h2 id="public-pages">Public pages</h2>
      </header>
      <DataTable
        label="Public pages in this period"
        stacked
        query={pages}
        failedTitle="Failed to load public pages"
        columns={['Page', ...statistics.map(([, label]) => ({ number: label }))]}
        empty={
          <EmptyState
            icon={<IconChartLine />}
            title="No visits to public pages in this period"
            message="Music that is open to everyone has a public page. Its Share button shows the address."
          />
        }
        footer={
          data &&
          data.pagination.total > 0 && (
            <PageNote label="Public pages" pagination={data.pagination} onChange={setPage} />
          )
        }
      >
        {(data?.data ?? []).map((row) => (
          <tr key={row.item_id}>
            <th scope="row">
              {row.slug ? (
                <a href={`${pagePath(row.kind, row.slug)}?view=page`}>{row.title}</a>
              ) : (
                row.title
              )}
              <small className={styles.aside}>{kindLabels[row.kind]}</small>
            </th>
            {statistics.map(([name, label]) => (
              <td key={name} data-numeric data-label={label}>
                {formatCount(row[name])}
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
    </section>
  )
}
