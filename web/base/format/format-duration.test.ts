import { expect, test } from 'vitest'
import { formatCount, formatDuration, formatTotal } from './format-duration.ts'

test.each([
  [0, '0:00'],
  [7, '0:07'],
  [59.6, '1:00'],
  [187, '3:07'],
  [4360, '72:40'],
])('formats a track of %s seconds as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})

test.each([
  [0, '0 sec'],
  [54, '54 sec'],
  [1380, '23 min'],
  [3599, '1 h'],
  [7500, '2 h 5 min'],
  [111_700, '31 h'],
  [4_000_000, '1,111 h'],
])('formats a list of %s seconds as %s', (seconds, text) => {
  expect(formatTotal(seconds)).toBe(text)
})

test('uses singular and plural', () => {
  expect(formatCount(1, 'track', 'tracks')).toBe('1 track')
  expect(formatCount(0, 'track', 'tracks')).toBe('0 tracks')
  expect(formatCount(20_000, 'track', 'tracks')).toBe('20,000 tracks')
})
