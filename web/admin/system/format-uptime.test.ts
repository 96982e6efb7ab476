import { expect, test } from 'vitest'
import { formatUptime } from './format-uptime.ts'

test('shows the two largest units, such as days and hours', () => {
  const minutes = (count: number) => formatUptime(count * 60_000)
  expect(minutes(0.5)).toBe('less than a minute')
  expect(minutes(59)).toBe('59 min')
  expect(minutes(60)).toBe('1 h 0 min')
  expect(minutes(24 * 60)).toBe('1 day 0 h')
  expect(minutes(76 * 60 + 5)).toBe('3 days 4 h')
})
