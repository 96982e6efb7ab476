import { expect, test } from 'vitest'
import { isLeaseOver, leaseEndMs, canUseDownloads } from './lease.ts'
import type { OfflineUser } from './offline-db.ts'

const person: OfflineUser = {
  user_id: '0191a0c0-0000-7000-8000-0000000000aa',
  display_name: 'Ada',
  subscription_tier: 'monthly',
  is_signed_in: true,
  lease_ends_ms: 10_000,
  latest_ms: 2000,
}

test('lasts as long as the server granted, regardless of the local clock', () => {
  const lease = { issued_at: '2026-11-21T12:00:00.000Z', expires_at: '2026-11-21T13:00:00.000Z' }
  expect(leaseEndMs(lease, 5000)).toBe(3_605_000)
})

test('expires at its end, even if the clock is set back', () => {
  expect(isLeaseOver(person, 9999)).toBe(false)
  expect(isLeaseOver(person, 10_000)).toBe(true)
  expect(isLeaseOver({ ...person, latest_ms: 10_001 }, 3000)).toBe(true)
})

test('is valid only while its user is signed in', () => {
  expect(canUseDownloads(person, 3000)).toBe(true)
  expect(canUseDownloads(person, 10_000)).toBe(false)
  expect(canUseDownloads({ ...person, is_signed_in: false }, 3000)).toBe(false)
  expect(canUseDownloads(undefined, 3000)).toBe(false)
})
