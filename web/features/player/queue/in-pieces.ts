// Splits long work into slices, so that it doesn't block clicks and frames.

/** Maximum duration of a slice. On a phone that is four times slower this is still below a long task (50 ms). */
const pieceMs = 8

/**
 * Returns a function to await between two steps. It yields to the browser when the steps since the last yield took
 * longer than `pieceMs`. Short work runs without a yield.
 */
export function cutIntoPieces(): () => Promise<void> {
  let begunAt = performance.now()
  return async () => {
    if (performance.now() - begunAt < pieceMs) return
    await new Promise((resolve) => setTimeout(resolve))
    begunAt = performance.now()
  }
}
