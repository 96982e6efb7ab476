// Where an account plays right now. A player is one tab; the tabs of one browser are one device. A device plays
// one song at a time, and a plan allows so many devices at once. The newest stay.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A player says so often that it still plays. */
export const beatSeconds = 10
/** Whoever is silent for so long does not play any more: a crash, a lost connection. */
export const silentAfterSeconds = 35

/** The details of `playing_elsewhere`. */
export const playCap = z.object({
  /** On so many devices the person's plan plays at once. */
  limit: z.number(),
  /** What Premium offers; absent for those who have it. */
  premium_limit: z.optional(z.number()),
  /** True: another tab of the same browser plays, and the plan has nothing to do with it. */
  same_device: z.optional(z.boolean()),
})
export type PlayCap = z.infer<typeof playCap>

/** So many answers with audio may run at once for a player, and so often the plan's devices for an account. */
export const answersPerDevice = 4

const params = z.object({
  /** Made by the player itself: a random UUID for each tab, stable over a reload. */
  player_id: z.uuid(),
})

const query = z.object({
  /** Made by the browser: a random UUID for each member, the same in all its tabs. Without one a player is its own device. */
  device_id: z.optional(z.uuid()),
})

export const startPlaying = endpoint({
  method: 'POST',
  path: '/api/players/:player_id/start',
  summary:
    'This player starts to play, now. Others of the same device are displaced, and beyond what the plan allows the device that has played longest.',
  access: 'member',
  params,
  query,
})

export const keepPlaying = endpoint({
  method: 'POST',
  path: '/api/players/:player_id/beat',
  summary:
    'This player still plays; told every ten seconds. Refused once newer ones took its place.',
  access: 'member',
  params,
  query,
  errors: ['playing_elsewhere'],
})

export const stopPlaying = endpoint({
  method: 'POST',
  path: '/api/players/:player_id/stop',
  summary: 'This player was paused or closed; its place is free.',
  access: 'member',
  params,
})
