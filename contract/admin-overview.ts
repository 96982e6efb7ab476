// The start page of the back office: today beside the usual, what needs attention, what is left to set up.
import * as z from 'zod/mini'
import { spaceLevels } from './admin-system.ts'
import { endpoint } from './endpoint.ts'

/** Days before today that the usual is the average of, or fewer in a service that is younger. */
export const usualDays = 14
/** Without a schedule, a backup that is older needs attention. */
export const backupMaxAgeDays = 7

const overviewDay = z.object({
  /** In UTC. */
  day: z.iso.date(),
  plays: z.number(),
  listeners: z.number(),
  sign_ups: z.number(),
  /** What came in, less what was paid back. */
  net_cents: z.number(),
})
export type OverviewDay = z.infer<typeof overviewDay>

export const overviewFigures = ['plays', 'listeners', 'sign_ups', 'net_cents'] as const
export type OverviewFigure = (typeof overviewFigures)[number]

const attention = z.object({
  /** Jobs that used up their tries. */
  failed_jobs: z.number(),
  /** Tracks whose recording could not be processed. */
  failed_tracks: z.number(),
  /** Tracks that are processed and that nobody has published. */
  drafts_ready: z.number(),
  /** People who asked for their account to be deleted. */
  deletion_requests: z.number(),
  /** Subscriptions whose payment did not go through. */
  failed_payments: z.number(),
  disk: z.object({ level: z.enum(spaceLevels), host: z.string(), free_bytes: z.number() }),
  /** The rule of `is_overdue` in `backupStatus`; `none`: there is no complete one at all. */
  backup: z.enum(['ok', 'old', 'none']),
})
export type OverviewAttention = z.infer<typeof attention>

/** In the order in which a new owner meets them. */
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
  /** An admin put the list away. */
  is_hidden: z.boolean(),
  steps: z.array(
    z.object({
      step: z.enum(setupSteps),
      is_done: z.boolean(),
      /** How it is now: the name, the address, the sender of mails, when the last backup was made. */
      current: z.nullable(z.string()),
    }),
  ),
})
export type OverviewSetup = z.infer<typeof setup>

export const overview = z.object({
  /** The days before today, oldest first, and today at the end. */
  days: z.array(overviewDay),
  /** The average of the days before; null: there was none. */
  usual: z.nullable(z.omit(overviewDay, { day: true })),
  currency: z.string(),
  /** Up to when today is counted; null: nothing was counted yet. */
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
