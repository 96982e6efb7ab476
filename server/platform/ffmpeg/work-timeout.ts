// The time limit for ffmpeg on one file. The slowest build on a small machine is still several times faster than real
// time, so the duration of the file plus two minutes is always enough.

/** Returns milliseconds. `durationSeconds` is the duration in the file's header. */
export function computeWorkTimeoutMs(durationSeconds = 3600): number {
  return 120_000 + durationSeconds * 1000
}
