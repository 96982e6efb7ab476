import { expect, test } from 'vitest'
import { unescapeCell, parseCsv, parseCsvRows } from './parse-csv.ts'

test('parses commas, semicolons, tabs, quotes, and line breaks in quotes', () => {
  expect(parseCsv('a,b\r\n"x, ""y""",2\n', 10)).toEqual([
    ['a', 'b'],
    ['x, "y"', '2'],
  ])
  expect(parseCsv('a;b;c,d\n1;2', 10)).toEqual([
    ['a', 'b', 'c,d'],
    ['1', '2'],
  ])
  expect(parseCsv('a\tb', 10)).toEqual([['a', 'b']])
  expect(parseCsv('a,"b', 10)).toEqual([['a', 'b']])
})

test('returns the line on which each row begins', () => {
  const rows = parseCsvRows('a,b\n\n"1\n2",x\r\n,\n3,y', 10)
  expect(rows.map(({ line, cells }) => [line, cells[1]])).toEqual([
    [1, 'b'],
    [3, 'x'],
    [6, 'y'],
  ])
})

test('reads at most one row beyond the limit', () => {
  expect(parseCsv('a\nb\nc\nd\n', 2)).toEqual([['a'], ['b'], ['c']])
})

test('removes the apostrophe that prevents a cell from being evaluated as a formula', () => {
  expect(unescapeCell(["'=1+1", " it's "], 0)).toBe('=1+1')
  expect(unescapeCell(["'=1+1", " it's "], 1)).toBe("it's")
  expect(unescapeCell([], 3)).toBeNull()
})
