import { expect, test } from 'vitest'
import { summarizeChange } from './summarize-change.ts'

test('lists only fields that changed, with their previous values', () => {
  const before = { role: 'member', subscription_tier: 'free' }
  expect(summarizeChange(before, { role: 'editor', subscription_tier: 'free' })).toBe(
    'role: member → editor',
  )
})

test('shows only the new value if no previous value was recorded', () => {
  expect(summarizeChange(null, { internal_note: 'added' })).toBe('internal note: added')
})

test('returns nothing for an audit entry without values', () => {
  expect(summarizeChange(null, null)).toBe('')
})

test('shows a removed value as "none"', () => {
  expect(summarizeChange({ renewal_date: '2027' }, { renewal_date: null })).toBe(
    'renewal date: 2027 → none',
  )
})
