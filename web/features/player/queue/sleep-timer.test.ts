import { expect, test } from 'vitest'
import { sleepFade, sleepFadeSeconds, sleepIn, sleepSecondsLeft } from './sleep-timer.ts'

test('counts down to zero and not below', () => {
  const timer = sleepIn(5, 1000)
  expect(sleepSecondsLeft(timer, 1000)).toBe(300)
  expect(sleepSecondsLeft(timer, 301_000)).toBe(0)
  expect(sleepSecondsLeft(timer, 400_000)).toBe(0)
  expect(sleepSecondsLeft(timer, -25_000)).toBe(300)
})

test('fades over the last seconds only', () => {
  const timer = sleepIn(5, 0)
  const atEnd = 300_000
  expect(sleepFade(timer, 0)).toBe(1)
  expect(sleepFade(timer, atEnd - sleepFadeSeconds * 1000)).toBe(1)
  expect(sleepFade(timer, atEnd - (sleepFadeSeconds / 2) * 1000)).toBeCloseTo(0.5)
  expect(sleepFade(timer, atEnd)).toBe(0)
})

test('does not fade when no time is set', () => {
  expect(sleepFade({ kind: 'off' }, 0)).toBe(1)
  expect(sleepFade({ kind: 'end-of-track' }, 0)).toBe(1)
  expect(sleepSecondsLeft({ kind: 'end-of-track' }, 0)).toBeNull()
})
