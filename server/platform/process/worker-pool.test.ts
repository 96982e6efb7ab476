import { EventEmitter } from 'node:events'
import { availableParallelism } from 'node:os'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWorkerPool } from './worker-pool.ts'

class Helper extends EventEmitter {
  isHeld = true
  isEnded = false
}
const createPool = () =>
  createWorkerPool({
    start: () => new Helper(),
    end: (helper) => (helper.isEnded = true),
    hold: (helper, isHeld) => (helper.isHeld = isHeld),
  })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('reuses an idle worker, and never gives the same one to two callers', () => {
  const pool = createPool()
  const first = pool.acquire()
  pool.release(first)
  expect(first.isHeld).toBe(false)
  expect(pool.acquire()).toBe(first)
  expect(first.isHeld).toBe(true)
  expect(pool.acquire()).not.toBe(first)
  // The timer of an earlier idle period must not end a worker in use.
  vi.advanceTimersByTime(60_000)
  expect(first.isEnded).toBe(false)
})

test('ends a worker that is idle for too long', () => {
  const pool = createPool()
  const first = pool.acquire()
  pool.release(first)
  vi.advanceTimersByTime(60_000)
  expect(first.isEnded).toBe(true)
  expect(pool.acquire()).not.toBe(first)
})

test('drops a worker that fails or ends while idle', () => {
  const pool = createPool()
  const [failing, ending] = [pool.acquire(), pool.acquire()]
  pool.release(failing)
  pool.release(ending)
  failing.emit('error', new Error('too late'))
  failing.emit('error', new Error('once more'))
  ending.emit('exit')
  expect([failing, ending]).not.toContain(pool.acquire())
  expect(failing.isEnded).toBe(true)
})

test('keeps at most one idle worker per core', () => {
  const pool = createPool()
  const all = Array.from({ length: availableParallelism() + 1 }, () => pool.acquire())
  for (const helper of all) pool.release(helper)
  expect(all.map(({ isEnded }) => isEnded)).toEqual(all.map((_, i) => i === all.length - 1))
})
