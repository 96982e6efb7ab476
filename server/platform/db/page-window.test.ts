import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { computePageWindow } from './page-window.ts'

test('returns the same page when read from either end, for any page of any list', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 15 }),
      fc.constantFrom('asc' as const, 'desc' as const),
      (total, page, page_size, own) => {
        const list = Array.from({ length: total }, (_, i) => i)
        const { limit, offset, direction } = computePageWindow({ page, page_size }, total, own)
        const read = direction === own ? list : list.toReversed()
        const found = read.slice(offset, offset + limit)
        const expected = list.slice((page - 1) * page_size, page * page_size)
        expect(direction === own ? found : found.toReversed()).toEqual(expected)
        expect(offset).toBeLessThanOrEqual(total / 2)
      },
    ),
  )
})
