// Summary of all uploads: progress, problems that block them, and buttons that apply to all files.
import {
  IconAlertTriangle,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
  IconX,
} from '#web/base/ui/icons/icons.ts'
import { useState, type ReactNode } from 'react'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import { formatBytes } from '../shared/format/format-bytes.ts'
import { uploadQueue, useUploadStore } from './queue/upload-store.ts'
import styles from './upload-summary.module.css'
import { formatTimeLeft, computeUploadTotals, type UploadTotals } from './queue/upload-totals.ts'
import layout from '../../base/ui/layout/layout.module.css'

export function UploadSummary() {
  const view = useUploadStore()
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const totals = computeUploadTotals(view)
  const isMoving = totals.movingCount > 0
  const getIds = (isChosen: (item: (typeof view.items)[number]) => boolean) =>
    view.items.filter(isChosen).map(({ id }) => id)
  const waiting = getIds(({ stage }) => stage === 'waiting')
  const isDone = waiting.length === 0
  return (
    <section className={styles.summary} aria-label="Progress of all files">
      <div className={styles.top}>
        <div className={styles.words}>
          <p className={styles.count}>
            {totals.arrivedCount.toLocaleString('en')} of{' '}
            {formatCount(totals.fileCount, 'file', 'files')} uploaded
          </p>
          <p className={styles.note}>{describeTotals(totals, view.bytesPerSecond)}</p>
        </div>
        <div className={layout.cluster2}>
          {isMoving && (
            <Button
              size="small"
              icon={<IconPlayerPause />}
              onClick={() => uploadQueue()?.pause(waiting)}
            >
              Pause All
            </Button>
          )}
          {totals.pausedCount > 0 && (
            <Button
              size="small"
              icon={<IconPlayerPlay />}
              onClick={() => uploadQueue()?.resume(waiting)}
            >
              Resume All
            </Button>
          )}
          <Button
            size="small"
            variant="quiet"
            icon={isDone ? <IconTrash /> : <IconX />}
            onClick={() => setConfirmOpen(true)}
          >
            {isDone ? 'Clear List' : 'Cancel All'}
          </Button>
        </div>
      </div>
      <ProgressBar
        label="All files"
        value={totals.totalBytes === 0 ? 0 : totals.sentBytes / totals.totalBytes}
        tone={isDone && totals.failedCount === 0 ? 'success' : 'accent'}
      />
      <Notices totals={totals} />
      <ConfirmDialog
        open={isConfirmOpen}
        title={isDone ? 'Clear List' : 'Cancel All'}
        message={
          isDone
            ? 'The list will be cleared. Uploaded tracks stay in the library.'
            : 'Files that are not uploaded yet are canceled. Uploaded tracks stay in the library.'
        }
        confirmLabel={isDone ? 'Clear List' : 'Cancel Uploads'}
        cancelLabel={isDone ? 'Keep List' : 'Continue Uploading'}
        onCancel={() => setConfirmOpen(false)}
        onConfirm={() => {
          setConfirmOpen(false)
          void uploadQueue()?.cancel(isDone ? getIds(() => true) : waiting)
        }}
      />
    </section>
  )
}

function describeTotals(totals: UploadTotals, bytesPerSecond: number | null): string {
  const parts = [`${formatBytes(totals.sentBytes)} of ${formatBytes(totals.totalBytes)}`]
  if (totals.movingCount > 0 && bytesPerSecond) parts.push(`${formatBytes(bytesPerSecond)}/s`)
  if (totals.secondsLeft !== null) parts.push(formatTimeLeft(totals.secondsLeft))
  if (totals.knownCount > 0) parts.push(`${totals.knownCount.toLocaleString('en')} duplicates`)
  if (totals.failedCount > 0) parts.push(`${totals.failedCount.toLocaleString('en')} failed`)
  if (totals.leftOutCount > 0) parts.push(`${totals.leftOutCount.toLocaleString('en')} skipped`)
  return parts.join(' · ')
}

function Notices({ totals }: { totals: UploadTotals }) {
  const { isSignedOut, lockedCount, missing } = useUploadStore()
  if (isSignedOut) {
    return <Notice>You are signed out. Sign in again to continue the uploads.</Notice>
  }
  if (totals.missingCount === 0) return null
  const count = formatCount(missing.size, 'file', 'files')
  if (lockedCount > 0) {
    return (
      <Notice
        action={
          <Button size="small" onClick={() => void uploadQueue()?.unlock()}>
            Continue
          </Button>
        }
      >
        The page was reloaded. Your browser asks for permission to read {count} again.
      </Notice>
    )
  }
  return (
    <Notice>
      The page was reloaded, and the browser did not store {count}. Drop the same folder again to
      upload only the missing files.
    </Notice>
  )
}

export function Notice({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.notice} role="status">
      <IconAlertTriangle aria-hidden="true" />
      <p>{children}</p>
      {action}
    </div>
  )
}
