import { expect, test } from 'vitest'
import { formatElapsed } from './progress.mjs'

test.each([
  [40, '0.0 s'],
  [950, '0.9 s'],
  [9_940, '9.9 s'],
  [9_960, '10 s'],
  [59_400, '59 s'],
  [59_600, '1 min 0 s'],
  [65_000, '1 min 5 s'],
])('formats %i ms as %s', (milliseconds, text) => {
  expect(formatElapsed(milliseconds)).toBe(text)
})
