import { expect, test } from 'vitest'
import { formOfPrices, pricesOfForm, type PriceForm } from './price-form.ts'

const now = new Date('2026-11-25T10:00:00Z')
const form: PriceForm = {
  currency: 'usd',
  monthly: '9.99',
  yearly: '99.99',
  who: 'new',
  effective_on: '2026-12-25',
}

test('sends amounts in the smallest unit of the currency', () => {
  const body = (changes: Partial<PriceForm>) => pricesOfForm({ ...form, ...changes }, now).body
  expect(body({})).toEqual({
    currency: 'usd',
    monthly_cents: 999,
    yearly_cents: 9999,
    effective_on: null,
  })
  expect(body({ currency: 'jpy', monthly: '980', yearly: '9800' })).toMatchObject({
    monthly_cents: 980,
    yearly_cents: 9800,
  })
  expect(body({ who: 'everyone' })?.effective_on).toBe('2026-12-25')
})

test('rejects amounts that the currency does not allow, and dates that are too soon', () => {
  const problems = (changes: Partial<PriceForm>) =>
    pricesOfForm({ ...form, ...changes }, now).problems
  expect(problems({ currency: 'jpy' })).toHaveProperty('monthly')
  expect(problems({ yearly: 'ten' })).toHaveProperty('yearly')
  expect(problems({ who: 'everyone', effective_on: '2026-12-24' })).toHaveProperty('effective_on')
})

test('starts with the current prices', () => {
  const prices = { currency: 'jpy', monthly_cents: 980, yearly_cents: 9800 }
  const rest = { is_configured: true, made: null, change: null }
  expect(formOfPrices({ ...prices, ...rest }, now)).toMatchObject({
    monthly: '980',
    yearly: '9800',
  })
})
