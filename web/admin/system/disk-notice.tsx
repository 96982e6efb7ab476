// Notice on every back-office screen when the disk is full or nearly full.
import { IconAlertTriangle } from '#web/base/ui/icons/icons.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { formatBytes } from '../shared/format/format-bytes.ts'
import styles from './disk-notice.module.css'
import { useDiskSpace } from './system-queries.ts'

export function DiskNotice() {
  const { data } = useDiskSpace()
  const isFull = data?.level === 'full'
  return (
    <div role="status">
      {data && data.level !== 'ok' && (
        <div className={styles.notice} data-full={isFull || undefined}>
          <span className={styles.icon} aria-hidden="true">
            <IconAlertTriangle />
          </span>
          <p>
            <strong>
              {isFull
                ? `The disk of ${data.host} is full.`
                : `The disk of ${data.host} is almost full.`}
            </strong>{' '}
            {formatBytes(data.free_bytes)} of {formatBytes(data.total_bytes)} are free.{' '}
            {isFull
              ? 'Uploads are rejected and new tracks are not processed until you free up space.'
              : 'Free up space before uploads are rejected.'}{' '}
            <ScreenLink to="/admin/system">System</ScreenLink>
          </p>
        </div>
      )}
    </div>
  )
}
