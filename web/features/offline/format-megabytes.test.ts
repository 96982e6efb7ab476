import { expect, test } from 'vitest'
import { formatMegabytes } from './format-megabytes.ts'

test.each([
  [0, '0.0 MB'],
  [380_000, '0.4 MB'],
  [9_949_000, '9.9 MB'],
  [37_600_000, '38 MB'],
  [999_400_000, '999 MB'],
  [999_600_000, '1.0 GB'],
  [12_340_000_000, '12.3 GB'],
])('formats %i bytes as %s', (bytes, text) => {
  expect(formatMegabytes(bytes)).toBe(text)
})
