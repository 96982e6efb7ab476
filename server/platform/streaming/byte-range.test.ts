import { describe, expect, test } from 'vitest'
import { formatContentRange, parseRange } from './byte-range.ts'

const range = (start: number, end: number) => ({ start, end })

describe('the examples of RFC 9110 §14.1.2, for 10,000 bytes', () => {
  test.each([
    ['the first 500 bytes', 'bytes=0-499', [range(0, 500)]],
    ['the second 500 bytes', 'bytes=500-999', [range(500, 1000)]],
    ['the final 500 bytes', 'bytes=-500', [range(9500, 10_000)]],
    ['the final 500 bytes, given by their start', 'bytes=9500-', [range(9500, 10_000)]],
    [
      'first, middle and last 1000',
      'bytes= 0-999, 4500-5499, -1000',
      [range(0, 1000), range(4500, 5500), range(9000, 10_000)],
    ],
    ['the first and the last byte', 'bytes=0-0,-1', [range(0, 1), range(9999, 10_000)]],
    ['second 500 in two', 'bytes=500-600,601-999', [range(500, 601), range(601, 1000)]],
    ['second 500, overlapping', 'bytes=500-700,601-999', [range(500, 701), range(601, 1000)]],
  ])('%s', (_what, header, expected) => {
    expect(parseRange(header, 10_000)).toEqual(expected)
  })
})

// The expected values are the responses of nginx 1.22 for a file of 10,000 bytes.
describe('like nginx', () => {
  test.each([
    ['no header', undefined],
    ['another unit', 'items=0-5'],
    ['a unit with a space', 'bytes =0-5'],
    ['an empty header', ''],
    ['an empty list', 'bytes='],
    ['ranges that together exceed the file', 'bytes=0-,0-'],
    ['a suffix in addition to the whole file', 'bytes=0-9999,-1'],
  ])('the whole file: %s', (_what, header) => {
    expect(parseRange(header, 10_000)).toBe('whole')
  })

  test.each([
    ['words', 'bytes=abc'],
    ['a dash alone', 'bytes=-'],
    ['an end before the start', 'bytes=5-2'],
    ['a start at the end', 'bytes=10000-'],
    ['a suffix of zero bytes', 'bytes=-0'],
    ['an empty element', 'bytes=1-2,'],
    ['an empty element first', 'bytes=,1-2'],
    ['a space in a suffix', 'bytes=- 4'],
    ['one malformed range and one valid one', 'bytes=0-4,x'],
    ['a number beyond 64 bits', 'bytes=0-9223372036854775808'],
    ['a sign', 'bytes=+1-2'],
    ['a fraction', 'bytes=0.5-2'],
    ['a tab', 'bytes=0-\t4'],
  ])('416: %s', (_what, header) => {
    expect(parseRange(header, 10_000)).toBe('unsatisfiable')
  })

  test.each([
    ['spaces around', 'bytes= 0 - 4 ', range(0, 5)],
    ['a unit in upper case', 'BYTES=0-4', range(0, 5)],
    ['an end beyond the file', 'bytes=9990-20000', range(9990, 10_000)],
    ['an end of 64 bits', 'bytes=0-9223372036854775807', range(0, 10_000)],
    ['a suffix longer than the file', 'bytes=-20000', range(0, 10_000)],
    ['a range outside the file is ignored', 'bytes=0-5,20000-', range(0, 6)],
    ['the last byte', 'bytes=9999-9999', range(9999, 10_000)],
  ])('one range: %s', (_what, header, expected) => {
    expect(parseRange(header, 10_000)).toEqual([expected])
  })

  test('returns an empty file whole, except for a suffix of zero bytes', () => {
    expect(parseRange('bytes=0-', 0)).toBe('whole')
    expect(parseRange('bytes=-5', 0)).toBe('whole')
    expect(parseRange('bytes=1-', 0)).toBe('unsatisfiable')
  })
})

test('never returns more bytes than the file has, for any number of ranges', () => {
  const many = `bytes=${Array.from({ length: 101 }, (_, i) => `${i * 2}-${i * 2}`).join(',')}`
  expect(parseRange(many, 10_000)).toBe('whole')
})

test('Content-Range names the last byte, not the one after it', () => {
  expect(formatContentRange(range(0, 500), 10_000)).toBe('bytes 0-499/10000')
})

// Long enough that a parser with quadratic running time would time out.
test.each([
  ['spaces', `bytes=5-${' '.repeat(3_000_000)}x`],
  ['digits', `bytes=${'9'.repeat(3_000_000)}x`],
  ['dashes', `bytes=${'0-'.repeat(1_500_000)}`],
  ['commas', `bytes=${'0-0,'.repeat(800_000)}x`],
])('refuses a header of nothing but %s', (_what, header) => {
  expect(parseRange(header, 10_000)).not.toBeInstanceOf(Array)
})
