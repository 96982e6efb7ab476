import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createRunningJobs } from './running-jobs.ts'

test('a run that begins again ends the one before it first, however often', async () => {
  const jobs = createRunningJobs()
  let atOnce = 0
  let most = 0
  const untilStopped = async (signal: AbortSignal) => {
    most = Math.max(most, ++atOnce)
    await once(signal, 'abort')
    atOnce--
    throw signal.reason
  }
  const first = jobs.alone('one', untilStopped)
  const second = jobs.alone('one', untilStopped)
  const last = jobs.alone('one', async () => 'done')
  await expect(first).rejects.toThrow('given out again')
  // Which of the two that wait comes first is nobody's concern.
  expect((await Promise.allSettled([second, last])).map(({ status }) => status)).toContain(
    'fulfilled',
  )
  expect(most).toBe(1)
  expect(await jobs.alone('one', async () => 'free')).toBe('free')
})

test('different jobs do not wait for each other', async () => {
  const jobs = createRunningJobs()
  const other = Promise.withResolvers<void>()
  const waiting = jobs.alone('one', () => other.promise)
  await jobs.alone('two', async () => other.resolve())
  await expect(waiting).resolves.toBeUndefined()
})
