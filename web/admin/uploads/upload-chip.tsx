// Progress of the uploads, shown in the top bar of every back-office screen. Links to the Upload screen.
import { IconAlertTriangle, IconUpload } from '#web/base/ui/icons/icons.ts'
import { useLocation } from 'react-router'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import styles from './upload-chip.module.css'
import { uploadPath } from './upload-drop-zone.tsx'
import { useUploads, useUploadStore } from './queue/upload-store.ts'
import { computeUploadTotals } from './queue/upload-totals.ts'

export function UploadChip() {
  useUploads()
  const view = useUploadStore()
  const { pathname } = useLocation()
  const totals = computeUploadTotals(view)
  const { fileCount, arrivedCount, failedCount, movingCount } = totals
  const isWaiting = fileCount > arrivedCount || failedCount > 0
  if (!isWaiting || pathname === uploadPath) return null
  const progress = `${arrivedCount.toLocaleString('en')} of ${fileCount.toLocaleString('en')}`
  const share = totals.totalBytes === 0 ? 0 : totals.sentBytes / totals.totalBytes
  const state = failedCount > 0 ? `, ${failedCount} failed` : movingCount === 0 ? ', waiting' : ''
  return (
    <ScreenLink
      to={uploadPath}
      className={styles.chip!}
      aria-label={`Uploads: ${progress} uploaded${state}`}
      data-tooltip="Uploads"
      data-stuck={movingCount === 0 || undefined}
    >
      {failedCount > 0 && movingCount === 0 ? (
        <IconAlertTriangle aria-hidden="true" />
      ) : (
        <IconUpload aria-hidden="true" />
      )}
      <span className={styles.words}>{progress}</span>
      <span className={styles.bar} style={{ scale: `${share} 1` }} aria-hidden="true" />
    </ScreenLink>
  )
}
