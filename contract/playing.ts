// Where an account plays right now. A player is one tab or one device; a plan lets only so many play at
// once, and the newest stay.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A player says so often that it still plays. */
export const beatSeconds = 10
/** Whoever is silent for so long does not play any more: a crash, a lost connection. */
export const silentAfterSeconds = 35

/** The details of `playing_elsewhere`. */
export const playCap = z.object({
  /** On so many tabs and devices the person's plan plays at once. */
  limit: z.number(),
  /** What Premium offers; absent for those who have it. */
  premium_limit: z.optional(z.number()),
})
export type PlayCap = z.infer<typeof playCap>

const params = z.object({
  /** Made by the player itself: a random UUID for each tab, stable over a reload. */
  player_id: z.uuid(),
})

export const startPlaying = endpoint({
  method: 'POST',
  path: '/api/players/:player_id/start',
  summary:
    'This player starts to play, now. Beyond what the plan allows, the one that has played longest is displaced.',
  access: 'member',
  params,
})

export const keepPlaying = endpoint({
  method: 'POST',
  path: '/api/players/:player_id/beat',
  summary:
    'This player still plays; told every ten seconds. Refused once newer ones took its place.',
  access: 'member',
  params,
  errors: ['playing_elsewhere'],
})

export const stopPlaying = endpoint({
  method: 'POST',
  path: '/api/players/:player_id/stop',
  summary: 'This player was paused or closed; its place is free.',
  access: 'member',
  params,
})
