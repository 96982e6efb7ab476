// The callbacks through which `uploadTrackFile` reports progress. They compute the speed of one file.
import type { TrackUploadOptions } from './upload-track-file.ts'
import { createSpeedMeter, type SpeedMeter } from './speed-meter.ts'
import type { UploadActivity } from './upload-item.ts'

/** `show` is called with the new progress. `all` measures the speed of all uploads together. */
export function createProgressCallbacks(
  all: SpeedMeter,
  show: (activity: UploadActivity) => void,
): Pick<TrackUploadOptions, 'onStep' | 'onProgress'> {
  const own = createSpeedMeter()
  let last: number | null = null
  let activity: UploadActivity = { step: 'sending', bytes: 0, bytesPerSecond: null }
  const change = (changes: Partial<UploadActivity>) => {
    activity = { ...activity, ...changes }
    show(activity)
  }
  return {
    onStep: (step) => change({ step }),
    onProgress(bytes) {
      const nowMs = performance.now()
      // Don't count bytes that were on the server before, for example after a reload.
      if (last !== null && bytes > last) {
        own.add(bytes - last, nowMs)
        all.add(bytes - last, nowMs)
      }
      last = bytes
      change({ step: 'sending', bytes, bytesPerSecond: own.read(nowMs) })
    },
  }
}
