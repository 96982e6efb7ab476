import { expect, test } from 'vitest'
import { emptySubscriptionForm, findSubscriptionProblems, manualBody } from './subscription-form.ts'

const userId = '0191a0c0-0000-7000-8000-0000000000aa'

test('a new one is Premium, Active, Cash, and sends optional fields only when filled', () => {
  expect(manualBody(emptySubscriptionForm(userId), { isEditing: false })).toEqual({
    action: 'manual_update_subscription',
    user_id: userId,
    tier: 'premium',
    status: 'active',
    payment_method: 'cash',
  })
})

test('an edited note can be emptied', () => {
  const body = manualBody(emptySubscriptionForm(userId), { isEditing: true })
  expect(body).toMatchObject({ notes: '' })
})

test('it wants a user id, a whole one, and an end after the start', () => {
  const form = emptySubscriptionForm(userId)
  expect(findSubscriptionProblems(form)).toEqual({})
  expect(findSubscriptionProblems({ ...form, user_id: ' ' }).user_id).toBe('User ID is required')
  expect(findSubscriptionProblems({ ...form, user_id: '12' }).user_id).toBeDefined()
  expect(
    findSubscriptionProblems({ ...form, start_date: '2026-02-01', end_date: '2026-01-31' }),
  ).toHaveProperty('end_date')
})
