// Lists the alerts that are active now. The owner also gets them by email.
import { IconAlertTriangle } from '#web/base/ui/icons/icons.ts'
import { useId } from 'react'
import type { SystemStatus } from '#contract/admin/admin-system.ts'
import { formatMoment } from '../shared/format/format-moment.ts'
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
        {alerts.map(({ name, title, message, began_at }) => (
          <li key={name} className={styles.alert}>
            <IconAlertTriangle aria-hidden="true" />
            <div>
              <p className={styles.alertTitle}>
                {title.charAt(0).toUpperCase() + title.slice(1)}{' '}
                <span className={styles.since}>
                  since <time dateTime={began_at}>{formatMoment(began_at)}</time>
                </span>
              </p>
              {message.split('\n').map((line) => (
                <p key={line}>{markCommands(line)}</p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/**
 * Marks commands in a text as code, so that lines don't break inside them, for example after a hyphen of `-- --repair`.
 */
function markCommands(line: string) {
  return line
    .split(/(npm run [\w-]+(?: -- --\w+)?)/)
    .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}
