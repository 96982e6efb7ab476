// The home page of the back office: today's statistics compared with the average, items that need attention, and the
// remaining setup steps.
import * as z from 'zod/mini'
import { timestamp } from '../fields/dates.ts'
import { spaceLevels } from './admin-system.ts'
import { endpoint } from '../endpoint.ts'

/** How many previous days the average covers. A service that is younger than that has fewer. */
export const averageDays = 14
/** How old the newest backup may be if no schedule is set. After that the overview reminds admins to make one. */
export const backupMaxAgeDays = 7

const overviewDay = z.object({
  day: z.iso.date().check(z.describe('The day in UTC.')),
  plays: z.number(),
  listeners: z.number(),
  sign_ups: z.number(),
  net_cents: z.number().check(z.describe('Revenue minus refunds.')),
})
export type OverviewDay = z.infer<typeof overviewDay>

export const overviewFigures = ['plays', 'listeners', 'sign_ups', 'net_cents'] as const
export type OverviewFigure = (typeof overviewFigures)[number]

const attention = z.object({
  failed_jobs: z.number().check(z.describe('Jobs that failed after all retries.')),
  failed_tracks: z.number().check(z.describe('Tracks whose recording could not be processed.')),
  drafts_ready: z.number().check(z.describe('Processed tracks that are not published yet.')),
  deletion_requests: z
    .number()
    .check(z.describe('People who requested the deletion of their account.')),
  failed_payments: z.number().check(z.describe('Subscriptions with a failed payment.')),
  disk: z.object({ level: z.enum(spaceLevels), host: z.string(), free_bytes: z.number() }),
  backup: z
    .enum(['ok', 'old', 'none'])
    .check(
      z.describe(
        '`old` follows the same rule as `is_overdue` in `backupStatus`. `none`: there is no complete backup.',
      ),
    ),
})
export type OverviewAttention = z.infer<typeof attention>

/** In the recommended order. */
export const setupSteps = [
  'brand',
  'first_upload',
  'publish',
  'prices',
  'legal',
  'stripe',
  'mail',
  'public_address',
  'backup',
] as const
export type SetupStep = (typeof setupSteps)[number]

const setup = z.object({
  is_hidden: z.boolean().check(z.describe('Whether an admin hid the checklist.')),
  steps: z.array(
    z.object({
      step: z.enum(setupSteps),
      is_done: z.boolean(),
      current: z
        .nullable(z.string())
        .check(
          z.describe(
            "The current value: the service's name, its address, the sender of its emails, or the time of the last backup. For `legal` and `stripe`, the first part that is missing.",
          ),
        ),
    }),
  ),
})
export type OverviewSetup = z.infer<typeof setup>

export const overview = z.object({
  days: z.array(overviewDay).check(z.describe('The previous days, oldest first, then today.')),
  usual: z
    .nullable(z.omit(overviewDay, { day: true }))
    .check(z.describe('The average of the previous days; null if there were none.')),
  currency: z.string(),
  counted_at: z
    .nullable(timestamp)
    .check(z.describe('When the statistics were last updated. Null if there are none yet.')),
  attention,
  last_backup_at: z.nullable(timestamp),
  setup,
})
export type Overview = z.infer<typeof overview>

export const getAdminOverview = endpoint({
  method: 'GET',
  path: '/api/admin-overview',
  summary:
    "Today's statistics compared with the average, items that need attention, and the remaining setup steps.",
  access: 'admin',
  output: overview,
})

export const setSetupHidden = endpoint({
  method: 'PUT',
  path: '/api/admin-overview/setup',
  summary: 'Hide or show the setup checklist.',
  access: 'admin',
  audit: { settings: ['update'] },
  body: z.object({ is_hidden: z.boolean() }),
})
