import { expect, test } from 'vitest'
import { getSpaceLevel } from './disk-space.ts'

const gigabyte = 1000 ** 3

test('is low below 10 % or 2 GB, and full below 2 % or 500 MB', () => {
  const level = (free: number, total: number) =>
    getSpaceLevel({ free_bytes: free * gigabyte, total_bytes: total * gigabyte })
  expect(level(10, 100)).toBe('ok')
  expect(level(9.9, 100)).toBe('low')
  expect(level(2, 100)).toBe('low')
  expect(level(1.9, 100)).toBe('full')
  expect(level(2, 10)).toBe('ok')
  expect(level(1.9, 10)).toBe('low')
  expect(level(0.5, 10)).toBe('low')
  expect(level(0.49, 10)).toBe('full')
})
