import { expect, test } from 'vitest'
import { formatClock } from './format-clock.ts'

test.each([
  [0, '0:00'],
  [9.99, '0:09'],
  [65.9, '1:05'],
  [3600, '60:00'],
  [-1, '0:00'],
  [Number.NaN, '0:00'],
])('formats %d s as %s', (seconds, text) => {
  expect(formatClock(seconds)).toBe(text)
})
