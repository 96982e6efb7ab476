// The Audit tab of the settings: the 20 most recent audit entries.
import { IconHistory } from '#web/base/ui/icons/icons.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { AuditActorName, AuditSubjectName } from '../audit/audit-names.tsx'
import { useAuditLog } from '../audit/audit-queries.ts'
import { formatMoment } from '../shared/format/format-moment.ts'
import styles from './settings-screen.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export function AuditTab() {
  const { data, error, isFetching, refetch } = useAuditLog({}, 1)
  if (error && !data) {
    return (
      <ErrorState
        title="Failed to load audit logs"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data) {
    return (
      <div className={styles.fields} aria-busy="true">
        {Array.from({ length: 5 }, (_, index) => (
          <Skeleton key={index} height="3rem" />
        ))}
      </div>
    )
  }
  if (data.data.length === 0)
    return <EmptyState icon={<IconHistory />} title="No audit logs found" />
  return (
    <>
      <ol className={styles.entries}>
        {data.data.map((entry) => (
          <li key={entry.id} className={styles.entry}>
            <span className={styles.act}>
              {entry.action} on {entry.entity}
            </span>
            <time className={textStyles.softSmall} dateTime={entry.created_at}>
              {formatMoment(entry.created_at)}
            </time>
            <span className={styles.names}>
              <AuditActorName entry={entry} />
              {entry.entity_name && ' · '}
              <AuditSubjectName entry={entry} />
            </span>
            {entry.entity_id && <span className={styles.entity}>ID: {entry.entity_id}</span>}
          </li>
        ))}
      </ol>
      <ScreenLink to="/admin/audit" className={styles.all}>
        Show Full Audit Log
      </ScreenLink>
    </>
  )
}
