// Runs an action for many items, a limited number at a time. If it fails for one item, the others still run.

const maxConcurrent = 4

/** Returns the errors. Calls `onProgress` with the number of items that are done. */
export async function runConcurrently<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  onProgress: (doneCount: number) => void,
): Promise<unknown[]> {
  const failures: unknown[] = []
  const waiting = [...items]
  let doneCount = 0
  async function work(): Promise<void> {
    const item = waiting.shift()
    if (item === undefined) return
    try {
      await act(item)
    } catch (error) {
      failures.push(error)
    }
    doneCount += 1
    onProgress(doneCount)
    await work()
  }
  await Promise.all(Array.from({ length: maxConcurrent }, work))
  return failures
}
