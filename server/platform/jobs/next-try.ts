const firstPauseMs = 60_000
const longestPauseMs = 6 * 3600_000

/** When work at another service is tried again: after a minute, then after twice the pause of the try before. */
export function nextTry(now: Date, tries: number, longestMs = longestPauseMs): string {
  return new Date(now.getTime() + Math.min(firstPauseMs * 2 ** tries, longestMs)).toISOString()
}
