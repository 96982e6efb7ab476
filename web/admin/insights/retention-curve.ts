// Computes the retention curve of a track: how many listeners were still listening at each point.

/**
 * Returns the share (0 to 1) of plays that reached the start of each part of the track, and its end. `leftAt` contains
 * the number of plays that ended in each part.
 */
export function computeRetentionCurve(leftAt: readonly number[]): number[] {
  const total = leftAt.reduce((sum, count) => sum + count, 0)
  let left = 0
  return leftAt.map((count) => {
    const share = total === 0 ? 0 : (total - left) / total
    left += count
    return share
  })
}
