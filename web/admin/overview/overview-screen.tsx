// /admin: today's statistics, items that need attention, and the remaining setup steps.
import { IconChartLine, IconFolderUp } from '#web/base/ui/icons/icons.ts'
import type { Overview } from '#contract/admin/admin-overview.ts'
import { errorText } from '../../base/api/show-error.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { LeaveDemoNote } from '../system/leave-demo-note.tsx'
import { AttentionList } from './attention-list.tsx'
import { useHideSetup, useOverview } from './overview-queries.ts'
import styles from './overview-screen.module.css'
import { SetupChecklist } from './setup-checklist.tsx'
import { TodayStatistics } from './today-statistics.tsx'
import layout from '../../base/ui/layout/layout.module.css'

export function OverviewScreen() {
  const { data, error, isFetching, refetch } = useOverview()
  return (
    <AdminPage
      title="Overview"
      note={data ? formatUpdatedAt(data.counted_at) : '…'}
      actions={
        <>
          <ButtonLink to="/admin/insights" icon={<IconChartLine />}>
            Insights
          </ButtonLink>
          <ButtonLink to="/admin/library/upload" variant="primary" icon={<IconFolderUp />}>
            Bulk Upload
          </ButtonLink>
        </>
      }
    >
      <LeaveDemoNote />
      {data ? (
        <Content overview={data} />
      ) : error ? (
        <ErrorState
          title="Failed to load the overview"
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <OverviewSkeleton />
      )}
    </AdminPage>
  )
}

function Content({ overview }: { overview: Overview }) {
  const hiding = useHideSetup()
  const { setup } = overview
  return (
    <div className={layout.stack5}>
      <TodayStatistics overview={overview} />
      <div className={styles.columns}>
        <AttentionList overview={overview} />
        {!setup.is_hidden && <SetupChecklist setup={setup} onHide={() => hiding.mutate(true)} />}
      </div>
      {setup.is_hidden && (
        <p className={styles.footer}>
          <Button variant="quiet" size="small" onClick={() => hiding.mutate(false)}>
            Show Setup Checklist
          </Button>
        </p>
      )}
    </div>
  )
}

function formatUpdatedAt(countedAt: string | null): string {
  if (countedAt === null) return 'The first numbers appear within a minute.'
  const time = new Date(countedAt).toLocaleTimeString('en', { timeStyle: 'short', timeZone: 'UTC' })
  return `Today so far, updated at ${time} UTC.`
}

function OverviewSkeleton() {
  return (
    <div className={layout.stack5} aria-busy="true">
      <div className={styles.figures}>
        {Array.from({ length: 4 }, (_, index) => (
          <Skeleton key={index} height="9.25rem" />
        ))}
      </div>
      <div className={styles.columns}>
        <Skeleton height="24rem" />
        <Skeleton height="24rem" />
      </div>
    </div>
  )
}
