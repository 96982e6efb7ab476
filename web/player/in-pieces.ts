// Long work cut up, so that a click or a frame never waits for all of it.

/** On a phone that is four times slower it is still no long task. */
const pieceMs = 8

/**
 * Gives a function to be awaited between two steps: it lets the page go first where the steps since the last time have
 * taken long enough. What is short stays one piece.
 */
export function cutIntoPieces(): () => Promise<void> {
  let begunAt = performance.now()
  return async () => {
    if (performance.now() - begunAt < pieceMs) return
    await new Promise((resolve) => setTimeout(resolve))
    begunAt = performance.now()
  }
}
