import { expect, test } from 'vitest'
import { summarizeChange } from './summarize-change.ts'

test('only what changed is said, with the value before', () => {
  const before = { role: 'member', subscription_tier: 'free' }
  expect(summarizeChange(before, { role: 'editor', subscription_tier: 'free' })).toBe(
    'role: member → editor',
  )
})

test('what was recorded without a value before stands alone', () => {
  expect(summarizeChange(null, { internal_note: 'added' })).toBe('internal note: added')
})

test('an entry without values says nothing', () => {
  expect(summarizeChange(null, null)).toBe('')
})

test('a value that went away becomes none', () => {
  expect(summarizeChange({ renewal_date: '2027' }, { renewal_date: null })).toBe(
    'renewal date: 2027 → none',
  )
})
