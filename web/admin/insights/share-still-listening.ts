// From where listeners left to who was still there.

/** The share (0 to 1) of all beginnings that reached each point; one point per part and the end. */
export function shareStillListening(leftAt: readonly number[]): number[] {
  const total = leftAt.reduce((sum, count) => sum + count, 0)
  let left = 0
  return leftAt.map((count) => {
    const share = total === 0 ? 0 : (total - left) / total
    left += count
    return share
  })
}
