// Offline playback. Files are downloaded with the same access control as streams. A lease limits how long a device
// may play them until it contacts the server again.
import * as z from 'zod/mini'
import { timestamp } from './fields/dates.ts'
import { endpoint } from './endpoint.ts'

/** A device that stays offline longer than this stops playing its downloads. */
export const offlineLeaseDays = 30

/** Maximum number of tracks that an account may download per day (UTC), across all its devices. */
export const maxDownloadsPerDay = 1000

export const offlineLease = z.object({
  issued_at: timestamp.check(
    z.describe(
      "The server's time. A device measures the elapsed time from here, independently of its own clock.",
    ),
  ),
  expires_at: timestamp.check(
    z.describe('The end of the subscription or `offlineLeaseDays` from now, whichever is earlier.'),
  ),
})

export type OfflineLease = z.infer<typeof offlineLease>

export const getOfflineLease = endpoint({
  method: 'GET',
  path: '/api/offline-lease',
  summary:
    'The time until which a Premium member’s device may play its downloads. The lease is renewed whenever the device is online.',
  access: 'member',
  output: offlineLease,
  errors: ['premium_required'],
})
