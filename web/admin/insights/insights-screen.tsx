// /admin/insights: plays, listeners and revenue. The URL stores the selected days, the sort order and the opened track.
import { IconChartLine, IconDownload } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { exportInsights, type Figures, type InsightExport } from '#contract/admin/insights.ts'
import { useSite } from '../../base/session/site.ts'
import { errorText } from '../../base/api/show-error.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Menu, MenuItem } from '../../base/ui/overlays/menu.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { DemoNote } from '../shared/demo-note.tsx'
import { downloadFile } from '../shared/format/download-file.ts'
import { formatFileTimestamp } from '../shared/format/format-moment.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useUrlFilters } from '../shared/lists/use-url-filters.ts'
import { EarlyAccessList } from './early-access-list.tsx'
import { InsightCards } from './insight-cards.tsx'
import { InsightCharts } from './insight-charts.tsx'
import { useInsights, type Days } from './insight-queries.ts'
import { MembershipInsights } from './membership-insights.tsx'
import { readRange } from './insight-range.ts'
import styles from './insights-screen.module.css'
import { PublicPages } from './public-pages.tsx'
import { RangeBar } from './range-bar.tsx'
import { TopTracks } from './top-tracks.tsx'
import { TrackInsightsSheet } from './track-insights-sheet.tsx'

const names = ['range', 'start', 'end', 'compare', 'sort', 'track', 'figures', 'early'] as const

export function InsightsScreen() {
  const { values, page, change, setPage } = useUrlFilters(names)
  const [openedAt] = useState(() => new Date())
  const range = readRange(values, openedAt)
  const isCompared = values.compare !== 'off'
  const isDemo = useSite().demo !== null
  const figures = isDemo && values.figures !== 'real' ? 'demo' : 'real'
  const days: Days = { start: range.start, end: range.end, figures }
  const insights = useInsights(days)
  const { data } = insights
  const isNew = data !== undefined && !data.has_data
  return (
    <AdminPage
      title="Insights"
      note={`Days are in UTC. ${formatUpdatedAt(data?.rolled_at ?? null)}`}
      actions={!isNew && <ExportMenu days={days} />}
    >
      {isDemo && <DataChoice figures={figures} onChange={(value) => change({ figures: value })} />}
      {isNew ? (
        <NothingYet />
      ) : (
        <>
          <RangeBar range={range} isCompared={isCompared} onChange={change} />
          {data ? (
            <div className={styles.content} data-stale={insights.isPlaceholderData || undefined}>
              {data.other_currencies.length > 0 && (
                <p className={styles.currencies}>
                  Money is in {data.currency.toUpperCase()}. The ledger also has{' '}
                  {data.other_currencies.join(', ').toUpperCase()}, which is not included.
                </p>
              )}
              <InsightCards {...data} isCompared={isCompared} />
              <InsightCharts {...data} isCompared={isCompared} />
            </div>
          ) : insights.error ? (
            <ErrorState
              title="Failed to load insights"
              message={errorText(insights.error)}
              busy={insights.isFetching}
              onRetry={() => void insights.refetch()}
            />
          ) : (
            <Skeleton height="32rem" />
          )}
          {/* Hidden until the charts above have loaded, because the charts would push it down. */}
          <div hidden={insights.isPending}>
            <TopTracks
              days={days}
              sort={values.sort}
              page={page}
              onSort={(sort) => change({ sort }, { replace: true })}
              onPage={setPage}
              onOpen={(track) => change({ track })}
            />
            <EarlyAccessList
              days={days}
              page={Math.max(1, Math.floor(Number(values.early)) || 1)}
              onPage={(at) => change({ early: at > 1 ? String(at) : '' })}
            />
            <PublicPages days={days} />
            <MembershipInsights days={days} />
          </div>
          <TrackInsightsSheet
            trackId={values.track}
            days={days}
            onClose={() => change({ track: '' }, { replace: true })}
          />
        </>
      )}
    </AdminPage>
  )
}

function DataChoice(props: { figures: Figures; onChange: (figures: '' | 'real') => void }) {
  return props.figures === 'demo' ? (
    <DemoNote
      action={
        <Button size="small" variant="quiet" onClick={() => props.onChange('real')}>
          Show Real Data
        </Button>
      }
    >
      Sample data that shows what this screen offers. It is removed when you leave the demo.
    </DemoNote>
  ) : (
    <p className={styles.real}>
      Real data, without the demo accounts.
      <Button size="small" variant="quiet" onClick={() => props.onChange('')}>
        Show Demo Data
      </Button>
    </p>
  )
}

function formatUpdatedAt(rolledAt: string | null): string {
  if (rolledAt === null) return 'The first numbers appear within a minute.'
  const time = new Date(rolledAt).toLocaleTimeString('en', { timeStyle: 'short', timeZone: 'UTC' })
  return `Updated at ${time}.`
}

function NothingYet() {
  return (
    <EmptyState
      icon={<IconChartLine />}
      title="No data yet"
      message="Data appears after the first sign-up, play or payment. Publish tracks, share the address of your service, and set prices so that members can subscribe."
      action={
        <span className={styles.steps}>
          <ButtonLink to="/admin/library" variant="primary">
            Go to Library
          </ButtonLink>
          <ButtonLink to="/admin/settings">Set Prices</ButtonLink>
        </span>
      }
    />
  )
}

const exports: readonly { what: InsightExport; label: string }[] = [
  { what: 'days', label: 'Days' },
  { what: 'tracks', label: 'Tracks' },
  { what: 'ledger', label: 'Payments' },
]

async function download(what: InsightExport, { start, end, figures }: Days): Promise<void> {
  const name = `${figures === 'demo' ? 'demo-' : ''}insights-${what}-${formatFileTimestamp(new Date())}.csv`
  await downloadFile(exportInsights.path, { start, end, what, figures }, name)
}

function ExportMenu({ days }: { days: Days }) {
  const exporting = useAdminMutation<InsightExport>({
    run: (what) => download(what, days),
    refresh: [],
    done: 'Download started',
    failed: 'Failed to export insights',
  })
  return (
    <Menu label="Export CSV" trigger={<Button icon={<IconDownload />}>Export CSV</Button>}>
      {exports.map(({ what, label }) => (
        <MenuItem key={what} onSelect={() => exporting.mutate(what)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
