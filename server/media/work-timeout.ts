// How long ffmpeg may work on one file. The slowest build on a small machine still works at
// several times the speed of sound, so its own length, and a start, is generous for any file.

/** Milliseconds, from the length the file claims (in seconds). */
export function workTimeoutMs(durationSeconds = 3600): number {
  return 120_000 + durationSeconds * 1000
}
