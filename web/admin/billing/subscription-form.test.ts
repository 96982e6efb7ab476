import { expect, test } from 'vitest'
import {
  getAmountText,
  emptySubscriptionForm,
  findSubscriptionProblems,
  toManualBody,
} from './subscription-form.ts'

const userId = '0191a0c0-0000-7000-8000-0000000000aa'
const now = new Date('2026-01-15T12:00:00Z')

test('defaults to Premium, Active and Cash, and sends optional fields only when filled in', () => {
  expect(toManualBody(emptySubscriptionForm(userId), { isEditing: false })).toEqual({
    action: 'manual_update_subscription',
    user_id: userId,
    tier: 'premium',
    status: 'active',
    payment_method: 'cash',
  })
})

test('sends an empty note and a null end date when both fields are cleared', () => {
  const body = toManualBody(emptySubscriptionForm(userId), { isEditing: true })
  expect(body).toMatchObject({ notes: '', end_date: null })
})

test('requires a complete user id, and an end date after the start date', () => {
  const form = emptySubscriptionForm(userId)
  expect(findSubscriptionProblems(form, now)).toEqual({})
  expect(findSubscriptionProblems({ ...form, user_id: ' ' }, now).user_id).toBe(
    'User ID is required',
  )
  expect(findSubscriptionProblems({ ...form, user_id: '12' }, now).user_id).toBeDefined()
  expect(
    findSubscriptionProblems({ ...form, start_date: '2026-02-01', end_date: '2026-01-31' }, now),
  ).toHaveProperty('end_date')
})

test('rejects an active subscription with an end date in the past', () => {
  const form = { ...emptySubscriptionForm(userId), end_date: '2026-01-14' }
  expect(findSubscriptionProblems(form, now)).toHaveProperty('end_date')
  expect(findSubscriptionProblems({ ...form, end_date: '2026-01-15' }, now)).toEqual({})
  expect(findSubscriptionProblems({ ...form, status: 'inactive' }, now)).toEqual({})
})

test('uses the plan price until an amount is typed, also when prices load after the form opens', () => {
  const prices = { monthly: 999, yearly: 9999, currency: 'usd' }
  const form = emptySubscriptionForm(userId)
  expect(getAmountText(form, undefined)).toBe('')
  expect(getAmountText(form, prices)).toBe('9.99')
  expect(getAmountText({ ...form, tier: 'yearly' }, prices)).toBe('99.99')
  expect(getAmountText({ ...form, tier: 'comped' }, prices)).toBe('')
  expect(getAmountText({ ...form, tier: 'yearly', amount: '12.50' }, prices)).toBe('12.50')
  expect(getAmountText({ ...form, amount: '' }, prices)).toBe('')
})

test('sends a typed amount, and rejects an invalid one', () => {
  const form = { ...emptySubscriptionForm(userId), amount: '12.50' }
  expect(toManualBody(form, { isEditing: false })).toMatchObject({ amount_cents: 1250 })
  expect(findSubscriptionProblems({ ...form, amount: 'a lot' }, now)).toHaveProperty('amount')
})
