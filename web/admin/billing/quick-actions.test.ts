import { expect, test } from 'vitest'
import { getQuickActions } from './quick-actions.ts'

const act = (label: string, tier: 'free' | 'yearly') =>
  getQuickActions({ tier }).find((action) => action.label === label)

test('keeps a paid tier and changes free to monthly when activating', () => {
  expect(act('Activate', 'yearly')).toMatchObject({ tier: 'yearly', status: 'active' })
  expect(act('Activate', 'free')).toMatchObject({ tier: 'monthly', status: 'active' })
})

test('keeps the tier when deactivating, and sets the free tier when downgrading', () => {
  expect(act('Deactivate', 'yearly')).toMatchObject({ tier: 'yearly', status: 'inactive' })
  expect(act('Downgrade to Free', 'yearly')).toMatchObject({ tier: 'free', status: 'inactive' })
})

test('sets the monthly tier and the active status when upgrading', () => {
  expect(act('Upgrade to Premium', 'free')).toMatchObject({ tier: 'monthly', status: 'active' })
})
