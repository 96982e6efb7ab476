import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beforeSignOut, finishBeforeSignOut } from './before-sign-out.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('waits for every task before sign-out, and ignores tasks that reject', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const ends = [beforeSignOut(() => promise), beforeSignOut(() => Promise.reject(new Error('No')))]
  let isDone = false
  const finishing = finishBeforeSignOut().then(() => (isDone = true))
  await vi.advanceTimersByTimeAsync(500)
  expect(isDone).toBe(false)
  resolve()
  await finishing
  expect(vi.getTimerCount()).toBe(0)
  for (const end of ends) end()
})

test('stops waiting for the tasks after two seconds', async () => {
  const end = beforeSignOut(() => new Promise(() => {}))
  const finishing = finishBeforeSignOut()
  await vi.advanceTimersByTimeAsync(2000)
  await expect(finishing).resolves.toBeUndefined()
  end()
})

test('does not run a task that was removed', async () => {
  const task = vi.fn<() => Promise<void>>(async () => {})
  beforeSignOut(task)()
  await finishBeforeSignOut()
  expect(task).not.toHaveBeenCalled()
})
