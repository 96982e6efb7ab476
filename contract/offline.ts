// Keeping music on a device. The files come from the guarded stream; what this grants is how long the
// device may go on playing them without asking again.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A device that nobody connects for longer than this plays nothing it kept. */
export const offlineLeaseDays = 30

/** So many tracks an account may fetch in a day (UTC) to keep them, over all its devices. */
export const keptTracksPerDay = 1000

export const offlineLease = z.object({
  /** The server's clock; a device counts the time from here, whatever its own clock says. */
  issued_at: z.string(),
  /** The end of the subscription, or `offlineLeaseDays` from now, whichever comes first. */
  expires_at: z.string(),
})

export type OfflineLease = z.infer<typeof offlineLease>

export const getOfflineLease = endpoint({
  method: 'GET',
  path: '/api/offline-lease',
  summary:
    'Until when a Premium member’s device may play what it keeps. Asked for again whenever online.',
  access: 'member',
  output: offlineLease,
  errors: ['premium_required'],
})
