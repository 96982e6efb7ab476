import { expect, test } from 'vitest'
import { formatAmount, currencies, formatMoney, parseAmount } from './currencies.ts'

test.each([
  [999, 'usd', '$9.99'],
  [980, 'jpy', '¥980'],
  [3250, 'kwd', 'KWD 3.250'],
  [150_000, 'isk', 'ISK 1,500'],
  [-500, 'eur', '-€5.00'],
])('formats %d %s as %s', (amount, currency, text) => {
  expect(formatMoney(amount, currency).replaceAll('\u00a0', ' ')).toBe(text)
})

test.each([
  ['9.99', 'usd', 999],
  ['9,9', 'eur', 990],
  ['$10', 'usd', 1000],
  ['980', 'jpy', 980],
  ['980.5', 'jpy', null],
  ['3.25', 'kwd', 3250],
  ['3.255', 'kwd', null],
  ['1500', 'isk', 150_000],
  ['1500.5', 'isk', null],
  ['0', 'usd', null],
  ['-5', 'usd', null],
  ['abc', 'usd', null],
])('reads %s in %s as %s', (text, currency, amount) => {
  expect(parseAmount(text, currency)).toBe(amount)
})

test('parses negative amounts if they are allowed', () => {
  expect(parseAmount('-5', 'usd', { isSigned: true })).toBe(-500)
})

test.each(currencies)('parses formatted amounts in %s', (currency) => {
  expect(formatMoney(10_000, currency)).toMatch(/\d/)
  expect(parseAmount(formatAmount(10_000, currency), currency)).toBe(10_000)
})
