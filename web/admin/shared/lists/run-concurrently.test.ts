import { expect, test } from 'vitest'
import { runConcurrently } from './run-concurrently.ts'

test('runs the action for every item, a limited number at a time, and returns the errors', async () => {
  const items = Array.from({ length: 25 }, (_, index) => index)
  const seen: number[] = []
  const progress: number[] = []
  let running = 0
  let most = 0
  const failures = await runConcurrently(
    items,
    async (item) => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
      seen.push(item)
      if (item % 10 === 0) throw new Error(`no ${item}`)
    },
    (doneCount) => progress.push(doneCount),
  )
  expect(seen.toSorted((a, b) => a - b)).toEqual(items)
  expect(failures.map(String)).toEqual(['Error: no 0', 'Error: no 10', 'Error: no 20'])
  expect(progress).toEqual(items.map((item) => item + 1))
  expect(most).toBe(4)
})
