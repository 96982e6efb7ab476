// Measures the transfer speed of the last few seconds, so that a slow start or a pause is soon forgotten.

const windowMs = 6000

export interface SpeedMeter {
  /** Adds bytes that were transferred since the last call. */
  add: (bytes: number, nowMs: number) => void
  /** Returns bytes per second, or null until there is enough data. */
  read: (nowMs: number) => number | null
}

export function createSpeedMeter(): SpeedMeter {
  const samples: { atMs: number; bytes: number }[] = []
  let startedAtMs: number | undefined
  const dropOldSamples = (nowMs: number) => {
    while (samples[0] && samples[0].atMs < nowMs - windowMs) samples.shift()
  }
  return {
    add(bytes, nowMs) {
      if (samples.length === 0) startedAtMs = nowMs
      samples.push({ atMs: nowMs, bytes })
      dropOldSamples(nowMs)
    },
    read(nowMs) {
      dropOldSamples(nowMs)
      if (startedAtMs === undefined || samples.length < 2) return null
      const spanMs = Math.min(windowMs, nowMs - startedAtMs)
      if (spanMs < 500) return null
      const bytes = samples.reduce((sum, sample) => sum + sample.bytes, 0)
      return (bytes / spanMs) * 1000
    },
  }
}
