import { expect, test } from 'vitest'
import { amountText, parseAmount } from './amount.ts'

test.each([
  ['9.99', 999],
  ['9,9', 990],
  [' $10 ', 1000],
  ['0.01', 1],
])('parses %s as %d cents', (text, cents) => {
  expect(parseAmount(text, { isSigned: false })).toBe(cents)
})

test.each(['', '0', '1.234', 'ten', '1e3', '-5', '99999999'])('rejects %j as an amount', (text) => {
  expect(parseAmount(text, { isSigned: false })).toBeNull()
})

test('allows a negative correction, and formats an amount with its cents', () => {
  expect(parseAmount('-5', { isSigned: true })).toBe(-500)
  expect(amountText(990)).toBe('9.90')
})
