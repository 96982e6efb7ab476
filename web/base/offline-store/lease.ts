// How long this device may play its downloads. The time is measured on the device's own clock from the grant, so an
// incorrect clock is harmless, and setting it back does not extend the lease.
import type { OfflineLease } from '#contract/offline.ts'
import type { OfflineUser } from './offline-db.ts'

/** Returns when a lease granted now ends, on this device's clock. */
export function leaseEndMs({ issued_at, expires_at }: OfflineLease, nowMs: number): number {
  return nowMs + (Date.parse(expires_at) - Date.parse(issued_at))
}

export function isLeaseOver({ lease_ends_ms, latest_ms }: OfflineUser, nowMs: number): boolean {
  return Math.max(nowMs, latest_ms) >= lease_ends_ms
}

/** Returns whether this user may play and see the downloads. */
export function canUseDownloads(
  person: OfflineUser | undefined,
  nowMs: number,
): person is OfflineUser {
  return person !== undefined && person.is_signed_in && !isLeaseOver(person, nowMs)
}
