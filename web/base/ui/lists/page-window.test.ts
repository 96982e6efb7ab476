import { expect, test } from 'vitest'
import { pageWindow } from './page-window.ts'

test.each([
  [1, 12, [1, 2, 3, 4, 5]],
  [2, 12, [1, 2, 3, 4, 5]],
  [6, 12, [4, 5, 6, 7, 8]],
  [12, 12, [8, 9, 10, 11, 12]],
  [1, 3, [1, 2, 3]],
  [3, 3, [1, 2, 3]],
])('returns the page numbers around page %i of %i', (current, total, pages) => {
  expect(pageWindow(current, total)).toEqual(pages)
})
