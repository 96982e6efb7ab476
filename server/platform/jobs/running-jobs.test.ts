import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createRunningJobs } from './running-jobs.ts'

test('aborts the earlier runs of a job and never runs two at a time', async () => {
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
  await expect(first).rejects.toThrow('dispatched again')
  // It is not defined which of the two waiting runs starts first.
  expect((await Promise.allSettled([second, last])).map(({ status }) => status)).toContain(
    'fulfilled',
  )
  expect(most).toBe(1)
  expect(await jobs.alone('one', async () => 'free')).toBe('free')
})

test('runs different jobs concurrently', async () => {
  const jobs = createRunningJobs()
  const other = Promise.withResolvers<void>()
  const waiting = jobs.alone('one', () => other.promise)
  await jobs.alone('two', async () => other.resolve())
  await expect(waiting).resolves.toBeUndefined()
})
