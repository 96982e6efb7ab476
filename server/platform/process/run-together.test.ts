import { expect, test } from 'vitest'
import { runTogether } from './run-together.ts'

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  )

test('returns the results in order', async () => {
  const { signal } = new AbortController()
  expect(await runTogether(signal, () => [Promise.resolve(1), Promise.resolve('two')])).toEqual([
    1,
    'two',
  ])
})

test('aborts the other tasks when one fails, and rejects after all have ended', async () => {
  const { signal } = new AbortController()
  let ended = false
  const running = runTogether(signal, (either) => [
    aborted(either)
      .catch(() => new Promise((resolve) => setImmediate(resolve)))
      .finally(() => (ended = true)),
    Promise.reject(new Error('damaged')),
  ])
  await expect(running).rejects.toThrow('damaged')
  expect(ended).toBe(true)
})

test('rejects with the caller’s reason when aborted', async () => {
  const stopping = new AbortController()
  const running = runTogether(stopping.signal, (either) => [aborted(either), aborted(either)])
  stopping.abort(new Error('the server is stopping'))
  await expect(running).rejects.toThrow('the server is stopping')
})
