// A notice on every screen of the back office when the disk is nearly full or full.
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
                : `The disk of ${data.host} is getting full.`}
            </strong>{' '}
            {formatBytes(data.free_bytes)} of {formatBytes(data.total_bytes)} are free.{' '}
            {isFull
              ? 'Uploads are refused and new tracks wait until there is room.'
              : 'Make room before uploads have to be refused.'}{' '}
            <ScreenLink to="/admin/system">System</ScreenLink>
          </p>
        </div>
      )}
    </div>
  )
}
