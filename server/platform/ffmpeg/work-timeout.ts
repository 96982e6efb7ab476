// The time limit for ffmpeg on one file. The slowest build on a small machine still runs several times faster than real
// time, so the file's duration plus a startup time is generous.

/** Milliseconds, from the duration that the header claims (in seconds). */
export function computeWorkTimeoutMs(durationSeconds = 3600): number {
  return 120_000 + durationSeconds * 1000
}
