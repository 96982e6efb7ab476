import { expect, test } from 'vitest'
import { getQuickActions } from './quick-actions.ts'

const act = (label: string, tier: 'free' | 'yearly') =>
  getQuickActions({ tier }).find((action) => action.label === label)

test('activating keeps a paid tier, and changes the free tier to monthly', () => {
  expect(act('Activate', 'yearly')).toMatchObject({ tier: 'yearly', status: 'active' })
  expect(act('Activate', 'free')).toMatchObject({ tier: 'monthly', status: 'active' })
})

test('deactivating keeps the tier, and downgrading sets the free tier', () => {
  expect(act('Deactivate', 'yearly')).toMatchObject({ tier: 'yearly', status: 'inactive' })
  expect(act('Downgrade to Free', 'yearly')).toMatchObject({ tier: 'free', status: 'inactive' })
})

test('upgrading sets the monthly tier and the status active', () => {
  expect(act('Upgrade to Premium', 'free')).toMatchObject({ tier: 'monthly', status: 'active' })
})
