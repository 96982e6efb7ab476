import { expect, test } from 'vitest'
import { describeQuestion } from './person-question.ts'

const zoe = {
  email: 'zoe@example.com',
  display_name: 'Zoë',
  role: 'member',
  subscription_tier: 'free',
} as const

test('names the person who becomes an admin, and what an admin may do', () => {
  const texts = describeQuestion(zoe, { kind: 'role', role: 'admin' })
  expect(texts.title).toBe('Make Zoë an admin?')
  expect(texts.message).toContain('everything in the back office')
  expect(texts.isDanger).toBe(true)
})

test('uses the email address of a person without a name', () => {
  const nameless = { ...zoe, display_name: '' }
  expect(describeQuestion(nameless, { kind: 'role', role: 'editor' }).title).toBe(
    'Make zoe@example.com an editor?',
  )
})

test('says that a role change removes back-office access, or ends a ban', () => {
  const admin = { ...zoe, role: 'admin' } as const
  expect(describeQuestion(admin, { kind: 'role', role: 'member' }).message).toContain(
    'They lose access to the back office immediately.',
  )
  const banned = { ...zoe, role: 'banned' } as const
  expect(describeQuestion(banned, { kind: 'role', role: 'member' }).message).toContain(
    'This lifts the ban',
  )
})

test('marks removing Premium as dangerous, but not granting it', () => {
  expect(describeQuestion(zoe, { kind: 'plan', tier: 'comped' }).isDanger).toBe(false)
  const yearly = { ...zoe, subscription_tier: 'yearly' } as const
  const texts = describeQuestion(yearly, { kind: 'plan', tier: 'free' })
  expect(texts.isDanger).toBe(true)
  expect(texts.message).toContain('from Yearly to Free')
})
