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

test('the next gets the one that rests; two at once never the same', () => {
  const helpers = keep()
  const first = helpers.take()
  helpers.giveBack(first)
  expect(first.isHeld).toBe(false)
  expect(helpers.take()).toBe(first)
  expect(first.isHeld).toBe(true)
  expect(helpers.take()).not.toBe(first)
  // Taken, it is not ended by the rest that it had before.
  vi.advanceTimersByTime(60_000)
  expect(first.isEnded).toBe(false)
})

test('one that nobody asks for is ended', () => {
  const helpers = keep()
  const first = helpers.take()
  helpers.giveBack(first)
  vi.advanceTimersByTime(60_000)
  expect(first.isEnded).toBe(true)
  expect(helpers.take()).not.toBe(first)
})

test('one that fails or ends while it rests is forgotten, and takes nothing along', () => {
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

test('no more rest than there are cores', () => {
  const helpers = keep()
  const all = Array.from({ length: availableParallelism() + 1 }, () => helpers.take())
  for (const helper of all) helpers.giveBack(helper)
  expect(all.map(({ isEnded }) => isEnded)).toEqual(all.map((_, i) => i === all.length - 1))
})
