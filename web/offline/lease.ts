// Until when this device may play what it keeps. Counted on the device's own clock from the moment of the
// grant, so that a clock that is wrong does no harm; one that is set back gains nothing.
import type { OfflineLease } from '#contract/offline.ts'
import type { KeptPerson } from './offline-db.ts'

/** When a lease that was granted just now ends, on this device's clock. */
export function leaseEndMs({ issued_at, expires_at }: OfflineLease, nowMs: number): number {
  return nowMs + (Date.parse(expires_at) - Date.parse(issued_at))
}

export function isLeaseOver({ lease_ends_ms, latest_ms }: KeptPerson, nowMs: number): boolean {
  return Math.max(nowMs, latest_ms) >= lease_ends_ms
}

/** Whether this person may play and see what is kept. */
export function mayUseKept(person: KeptPerson | undefined, nowMs: number): person is KeptPerson {
  return person !== undefined && person.is_signed_in && !isLeaseOver(person, nowMs)
}
