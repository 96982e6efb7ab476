// What is wrong now, as the owner was told by mail.
import { IconAlertTriangle } from '@tabler/icons-react'
import { useId } from 'react'
import type { SystemStatus } from '#contract/admin-system.ts'
import { formatMoment } from '../format-moment.ts'
import styles from './system-screen.module.css'

export function SystemAlerts({ alerts }: Pick<SystemStatus, 'alerts'>) {
  const headingId = useId()
  if (alerts.length === 0) return null
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className={styles.heading}>
        Needs attention
      </h2>
      <ul className={styles.alerts}>
        {alerts.map(({ name, message, began_at }) => (
          <li key={name} className={styles.alert}>
            <IconAlertTriangle aria-hidden="true" />
            <p>
              {message}{' '}
              <span className={styles.since}>
                Since <time dateTime={began_at}>{formatMoment(began_at)}</time>
              </span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
