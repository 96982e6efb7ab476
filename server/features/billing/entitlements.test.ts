import { expect, test } from 'vitest'
import { subscriptionStatuses, storedRoles } from '#contract/plans.ts'
import {
  canPlayOffline,
  canStreamFull,
  getPlaylistLimit,
  getPremiumReason,
  getStreamQuality,
  getTrackLimit,
} from './entitlements.ts'

const people = storedRoles.flatMap((role) =>
  subscriptionStatuses.map((subscription_status) => ({ role, subscription_status })),
)

test.each(people)('returns the entitlements of $role, $subscription_status', (person) => {
  const premium = person.subscription_status === 'active'
  const hasFullAccess = premium || person.role === 'admin' || person.role === 'editor'
  expect(canStreamFull(person, true, null)).toBe(hasFullAccess)
  expect(canStreamFull(person, false, null)).toBe(true)
  const now = new Date('2026-11-27T17:00:00Z')
  const until = '2026-11-27T17:00:00.001Z'
  const early = getPremiumReason(person, { early_access_until: until }, now)
  expect(early).toEqual(hasFullAccess ? null : { reason: 'early_access', until })
  const forPremium = getPremiumReason(
    person,
    { premium_only: true, early_access_until: until },
    now,
  )
  expect(forPremium).toEqual(hasFullAccess ? null : { reason: 'premium_only' })
  for (const reason of [early, forPremium]) {
    expect(canStreamFull(person, true, reason)).toBe(hasFullAccess)
    expect(canStreamFull(person, false, reason)).toBe(hasFullAccess)
  }
  expect(getPremiumReason(person, { early_access_until: now.toISOString() }, now)).toBeNull()
  expect(getStreamQuality(person)).toBe(hasFullAccess ? 'high' : 'standard')
  expect(getPlaylistLimit(person)).toBe(premium ? Infinity : 1)
  expect(canPlayOffline(person)).toBe(premium)
  expect(getTrackLimit(person)).toBe(premium ? Infinity : 10)
})
