import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../base/api/api.ts'
import { abortWhenStalled } from './abort-when-stalled.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A request that never gets a response, as on a dead connection. */
const hang = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

test('aborts after a minute without progress, and throws the error for a lost connection', async () => {
  let progress = () => {}
  const ended = abortWhenStalled(new AbortController().signal, (signal, onProgress) => {
    progress = onProgress
    return hang(signal)
  }).catch((error: unknown) => error)
  vi.advanceTimersByTime(59_000)
  progress()
  vi.advanceTimersByTime(59_000)
  const isPending = await Promise.race([ended, Promise.resolve('pending')])
  expect(isPending).toBe('pending')
  vi.advanceTimersByTime(1_000)
  const error = await ended
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ code: 'network', status: 0 })
})

test('returns the result, passes on errors and aborts, and stops its timer', async () => {
  const caller = new AbortController()
  await expect(abortWhenStalled(caller.signal, () => Promise.resolve(7))).resolves.toBe(7)
  const broken = new TypeError('broken')
  await expect(abortWhenStalled(caller.signal, () => Promise.reject(broken))).rejects.toBe(broken)
  const ended = abortWhenStalled(caller.signal, hang)
  caller.abort()
  await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
  expect(vi.getTimerCount()).toBe(0)
})
