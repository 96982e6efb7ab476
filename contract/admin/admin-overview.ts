// The start page of the back office: today compared with the average, what needs attention, and the remaining setup
// steps.
import * as z from 'zod/mini'
import { spaceLevels } from './admin-system.ts'
import { endpoint } from '../endpoint.ts'

/** Number of days before today that the average covers; fewer if the service is younger. */
export const usualDays = 14
/** Without a schedule, a backup that is older needs attention. */
export const backupMaxAgeDays = 7

const overviewDay = z.object({
  /** In UTC. */
  day: z.iso.date(),
  plays: z.number(),
  listeners: z.number(),
  sign_ups: z.number(),
  /** Revenue less refunds. */
  net_cents: z.number(),
})
export type OverviewDay = z.infer<typeof overviewDay>

export const overviewFigures = ['plays', 'listeners', 'sign_ups', 'net_cents'] as const
export type OverviewFigure = (typeof overviewFigures)[number]

const attention = z.object({
  /** Jobs that used up their retries. */
  failed_jobs: z.number(),
  /** Tracks whose recording could not be processed. */
  failed_tracks: z.number(),
  /** Processed tracks that are not published. */
  drafts_ready: z.number(),
  /** People who asked for their account to be deleted. */
  deletion_requests: z.number(),
  /** Subscriptions with a failed payment. */
  failed_payments: z.number(),
  disk: z.object({ level: z.enum(spaceLevels), host: z.string(), free_bytes: z.number() }),
  /** The rule of `is_overdue` in `backupStatus`; `none`: there is no complete one at all. */
  backup: z.enum(['ok', 'old', 'none']),
})
export type OverviewAttention = z.infer<typeof attention>

/** In the order in which a new owner takes them. */
export const setupSteps = [
  'brand',
  'first_upload',
  'prices',
  'mail',
  'backup',
  'public_address',
] as const
export type SetupStep = (typeof setupSteps)[number]

const setup = z.object({
  /** An admin dismissed the list. */
  is_hidden: z.boolean(),
  steps: z.array(
    z.object({
      step: z.enum(setupSteps),
      is_done: z.boolean(),
      /** The current value: the name, the address, the sender of mails, the time of the last backup. */
      current: z.nullable(z.string()),
    }),
  ),
})
export type OverviewSetup = z.infer<typeof setup>

export const overview = z.object({
  /** The previous days, oldest first, then today. */
  days: z.array(overviewDay),
  /** The average of the previous days; null if there were none. */
  usual: z.nullable(z.omit(overviewDay, { day: true })),
  currency: z.string(),
  /** Time of the latest figures; null if nothing was counted yet. */
  counted_at: z.nullable(z.string()),
  attention,
  last_backup_at: z.nullable(z.string()),
  setup,
})
export type Overview = z.infer<typeof overview>

export const getAdminOverview = endpoint({
  method: 'GET',
  path: '/api/admin-overview',
  summary: 'Today beside the usual, what needs attention, and what is left to set up.',
  access: 'admin',
  output: overview,
})

export const setSetupHidden = endpoint({
  method: 'PUT',
  path: '/api/admin-overview/setup',
  summary: 'Put the set-up checklist away, or bring it back.',
  access: 'admin',
  audit: { settings: ['update'] },
  body: z.object({ is_hidden: z.boolean() }),
})
