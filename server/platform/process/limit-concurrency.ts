// Limits how many tasks of one kind run concurrently; later ones wait in order.

/** Returns a function that runs work as soon as fewer than `most` of its earlier calls are running. */
export function limitConcurrency(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The slot is handed to the next task instead of freed, so no other task can take it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
