// Totals of the upload list: files, bytes and the time left.
import type { QueueView } from './upload-queue.ts'

export interface UploadTotals {
  /** Number of files, without duplicates, skipped and failed ones. */
  fileCount: number
  arrivedCount: number
  failedCount: number
  knownCount: number
  leftOutCount: number
  pausedCount: number
  missingCount: number
  /** Number of files that will be uploaded without further action: available, and not done, failed or paused. */
  movingCount: number
  totalBytes: number
  sentBytes: number
  /** Null while there is no estimate. */
  secondsLeft: number | null
}

export function computeUploadTotals(
  view: Pick<QueueView, 'items' | 'activities' | 'missing' | 'bytesPerSecond'>,
): UploadTotals {
  const totals: UploadTotals = {
    fileCount: 0,
    arrivedCount: 0,
    failedCount: 0,
    knownCount: 0,
    leftOutCount: 0,
    pausedCount: 0,
    missingCount: 0,
    movingCount: 0,
    totalBytes: 0,
    sentBytes: 0,
    secondsLeft: null,
  }
  for (const item of view.items) {
    if (item.stage === 'cover' || item.stage === 'side') continue
    if (item.stage === 'left_out') totals.leftOutCount += 1
    else if (item.stage === 'known') totals.knownCount += 1
    else if (item.stage === 'failed') totals.failedCount += 1
    else {
      totals.fileCount += 1
      totals.totalBytes += item.byteSize
      if (item.stage === 'arrived') {
        totals.arrivedCount += 1
        totals.sentBytes += item.byteSize
      } else {
        const activity = view.activities.get(item.id)
        if (activity && activity.step !== 'reading') totals.sentBytes += activity.bytes
        if (item.isPaused) totals.pausedCount += 1
        else if (view.missing.has(item.id)) totals.missingCount += 1
        else totals.movingCount += 1
      }
    }
  }
  const leftBytes = totals.totalBytes - totals.sentBytes
  if (view.bytesPerSecond && totals.movingCount > 0) {
    totals.secondsLeft = leftBytes / view.bytesPerSecond
  }
  return totals
}

/** Formats the time left, like `about 4 minutes left`. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 50) return `about ${Math.max(5, Math.ceil(seconds / 5) * 5)} seconds left`
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes < 60) return `about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} left`
  const hours = Math.round(minutes / 6) / 10
  return `about ${hours} ${hours === 1 ? 'hour' : 'hours'} left`
}
