// Computes the retention curve of a track from the positions where listeners left.

/** Returns the share (0 to 1) of started plays that reached each point: the start of each part, and the end. */
export function computeRetentionCurve(leftAt: readonly number[]): number[] {
  const total = leftAt.reduce((sum, count) => sum + count, 0)
  let left = 0
  return leftAt.map((count) => {
    const share = total === 0 ? 0 : (total - left) / total
    left += count
    return share
  })
}
