import { expect, test } from 'vitest'
import { cleanUpc, isUpc } from './upc.ts'

test.each(['036000291452', '4006381333931', '012345678905'])('accepts %s', (code) => {
  expect(isUpc(code)).toBe(true)
})

test.each(['', '036000291453', '4006381333930', '36000291452', '03600029145x', '00000000000000'])(
  'refuses %s',
  (code) => expect(isUpc(code)).toBe(false),
)

test('ignores spaces and hyphens', () => {
  expect(cleanUpc(' 0 36000-29145 2 ')).toBe('036000291452')
})
