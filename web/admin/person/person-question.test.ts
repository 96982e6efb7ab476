import { expect, test } from 'vitest'
import { describeQuestion } from './person-question.ts'

const zoe = {
  email: 'zoe@example.com',
  display_name: 'Zoë',
  role: 'member',
  subscription_tier: 'free',
} as const

test('a new admin is named and what admins may do is said', () => {
  const words = describeQuestion(zoe, { kind: 'role', role: 'admin' })
  expect(words.title).toBe('Make Zoë an admin?')
  expect(words.message).toContain('everything in the back office')
  expect(words.isDanger).toBe(true)
})

test('somebody without a name is called by the address', () => {
  const nameless = { ...zoe, display_name: '' }
  expect(describeQuestion(nameless, { kind: 'role', role: 'editor' }).title).toBe(
    'Make zoe@example.com an editor?',
  )
})

test('losing the back office and the end of a ban are said', () => {
  const admin = { ...zoe, role: 'admin' } as const
  expect(describeQuestion(admin, { kind: 'role', role: 'member' }).message).toContain(
    'They lose the back office at once.',
  )
  const banned = { ...zoe, role: 'banned' } as const
  expect(describeQuestion(banned, { kind: 'role', role: 'member' }).message).toContain(
    'This lifts the ban',
  )
})

test('taking Premium away is marked as dangerous, giving it is not', () => {
  expect(describeQuestion(zoe, { kind: 'plan', tier: 'comped' }).isDanger).toBe(false)
  const yearly = { ...zoe, subscription_tier: 'yearly' } as const
  const words = describeQuestion(yearly, { kind: 'plan', tier: 'free' })
  expect(words.isDanger).toBe(true)
  expect(words.message).toContain('from Yearly to Free')
})
