import { EventEmitter } from 'node:events'
import { availableParallelism } from 'node:os'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepForNext } from './keep-for-next.ts'

class Helper extends EventEmitter {
  isHeld = true
  isEnded = false
}
const keep = () =>
  keepForNext({
    start: () => new Helper(),
    end: (helper) => (helper.isEnded = true),
    hold: (helper, isHeld) => (helper.isHeld = isHeld),
  })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('reuses an idle worker, and never gives one to two callers', () => {
  const helpers = keep()
  const first = helpers.take()
  helpers.giveBack(first)
  expect(first.isHeld).toBe(false)
  expect(helpers.take()).toBe(first)
  expect(first.isHeld).toBe(true)
  expect(helpers.take()).not.toBe(first)
  // The idle timer of an earlier rest does not end a worker in use.
  vi.advanceTimersByTime(60_000)
  expect(first.isEnded).toBe(false)
})

test('ends a worker that is idle too long', () => {
  const helpers = keep()
  const first = helpers.take()
  helpers.giveBack(first)
  vi.advanceTimersByTime(60_000)
  expect(first.isEnded).toBe(true)
  expect(helpers.take()).not.toBe(first)
})

test('drops a worker that fails or ends while idle', () => {
  const helpers = keep()
  const [failing, ending] = [helpers.take(), helpers.take()]
  helpers.giveBack(failing)
  helpers.giveBack(ending)
  failing.emit('error', new Error('too late'))
  failing.emit('error', new Error('once more'))
  ending.emit('exit')
  expect([failing, ending]).not.toContain(helpers.take())
  expect(failing.isEnded).toBe(true)
})

test('keeps at most one idle worker per core', () => {
  const helpers = keep()
  const all = Array.from({ length: availableParallelism() + 1 }, () => helpers.take())
  for (const helper of all) helpers.giveBack(helper)
  expect(all.map(({ isEnded }) => isEnded)).toEqual(all.map((_, i) => i === all.length - 1))
})
