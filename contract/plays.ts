// What was really heard: the player tells as it goes, the server decides what counts as a play.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { track } from './tracks.ts'

/** A play counts after so much of it was heard, or after half of a track that is shorter than twice that. */
export const countedAfterSeconds = 30

const maxSeconds = 24 * 3600
const seconds = z.number().check(z.minimum(0), z.maximum(maxSeconds))

export const reportPlay = endpoint({
  method: 'POST',
  path: '/api/plays',
  summary:
    'How far a play has come, told every ten seconds from its start on. Counted once, after 30 seconds or half of the track; no more is believed than time has passed.',
  access: 'member',
  body: z.object({
    /** Made by the player, a new one each time that a track begins. */
    play_id: z.uuid(),
    track_id: z.uuid(),
    /** Time in which the track was heard so far: pauses and jumps do not add to it. */
    heard_seconds: seconds,
    /** Where in the file the listener is. */
    position_seconds: seconds,
    /** How long the file is that plays: the whole track or its preview. */
    duration_seconds: seconds,
  }),
  output: z.object({
    /** This play counts, from now or from before. */
    is_counted: z.boolean(),
  }),
  errors: ['track_not_found', 'conflict'],
})

export const listRecentlyPlayed = endpoint({
  method: 'GET',
  path: '/api/plays/recent',
  summary: 'What the member listened to lately, newest first, each track once.',
  access: 'member',
  mayLag: true,
  query: z.object({
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(50)), 12),
  }),
  output: z.object({ data: z.array(track) }),
})
