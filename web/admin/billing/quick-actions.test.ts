import { expect, test } from 'vitest'
import { quickActions } from './quick-actions.ts'

const act = (label: string, tier: 'free' | 'yearly') =>
  quickActions({ tier }).find((action) => action.label === label)

test('keeps the tier when activating, but turns free into monthly', () => {
  expect(act('Activate', 'yearly')).toMatchObject({ tier: 'yearly', status: 'active' })
  expect(act('Activate', 'free')).toMatchObject({ tier: 'monthly', status: 'active' })
})

test('keeps the tier when deactivating, but not when downgrading', () => {
  expect(act('Deactivate', 'yearly')).toMatchObject({ tier: 'yearly', status: 'inactive' })
  expect(act('Downgrade to Free', 'yearly')).toMatchObject({ tier: 'free', status: 'inactive' })
})

test('makes an upgrade monthly and active', () => {
  expect(act('Upgrade to Premium', 'free')).toMatchObject({ tier: 'monthly', status: 'active' })
})
