// Offline use. The files come from the guarded stream; this lease limits how long the device may play them without
// renewing it.
import * as z from 'zod/mini'
import { timestamp } from './fields/dates.ts'
import { endpoint } from './endpoint.ts'

/** A device that is offline for longer than this stops playing its downloads. */
export const offlineLeaseDays = 30

/** Maximum number of tracks that an account may download in a day (UTC), over all its devices. */
export const keptTracksPerDay = 1000

export const offlineLease = z.object({
  issued_at: timestamp.check(
    z.describe(
      "The server's clock; a device measures elapsed time from here, independent of its own clock.",
    ),
  ),
  expires_at: timestamp.check(
    z.describe(
      'The end of the subscription, or `offlineLeaseDays` from now, whichever is earlier.',
    ),
  ),
})

export type OfflineLease = z.infer<typeof offlineLease>

export const getOfflineLease = endpoint({
  method: 'GET',
  path: '/api/offline-lease',
  summary:
    'Until when a Premium member’s device may play its downloads. Renewed whenever the device is online.',
  access: 'member',
  output: offlineLease,
  errors: ['premium_required'],
})
