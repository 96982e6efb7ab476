import { expect, test } from 'vitest'
import { subscriptionStatuses, storedRoles } from '#contract/plans.ts'
import {
  mayKeepOffline,
  mayStreamFull,
  playlistLimitFor,
  qualityFor,
  trackLimitFor,
} from './entitlements.ts'

const people = storedRoles.flatMap((role) =>
  subscriptionStatuses.map((subscription_status) => ({ role, subscription_status })),
)

test.each(people)('$role, $subscription_status', (person) => {
  const premium = person.subscription_status === 'active'
  const hasFullAccess = premium || person.role === 'admin'
  expect(mayStreamFull(person, true)).toBe(hasFullAccess)
  expect(mayStreamFull(person, false)).toBe(true)
  expect(qualityFor(person)).toBe(hasFullAccess ? 'high' : 'standard')
  expect(playlistLimitFor(person)).toBe(premium ? Infinity : 1)
  expect(mayKeepOffline(person)).toBe(premium)
  expect(trackLimitFor(person)).toBe(premium ? Infinity : 10)
})
