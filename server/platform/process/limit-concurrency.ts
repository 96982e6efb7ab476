// Limits how many tasks of one kind run concurrently. Further ones wait in order.

/** Returns a function that runs a task as soon as fewer than `most` of its earlier tasks are running. */
export function limitConcurrency(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The slot is passed to the next waiting task instead of being freed, so that no newer task can take it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
