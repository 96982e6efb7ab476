// Why members leave, and whom they bring, by month.
import * as z from 'zod/mini'
import { cancelReasons } from '../../cancellations.ts'
import { endpoint } from '../../endpoint.ts'
import { day } from '../../fields/dates.ts'

const byMonth = z.array(z.number())

export const getMembershipInsights = endpoint({
  method: 'GET',
  path: '/api/admin-insights/membership',
  summary:
    'Cancellations with their reasons, offers to stay, and friends of members, by month (UTC). Real figures only.',
  access: 'admin',
  mayLag: true,
  query: z.object({ start: day, end: day }),
  output: z.object({
    months: z
      .array(z.string())
      .check(z.describe('`2026-11`, oldest first. All other lists have a number for each.')),
    reasons: z
      .array(z.object({ reason: z.enum(cancelReasons), counts: byMonth }))
      .check(z.describe('Cancellations that were not taken back, the most frequent reason first.')),
    offers_taken: byMonth.check(z.describe('Members who were leaving and took the offer to stay.')),
    offers_kept: byMonth.check(z.describe('Of these, members who still pay.')),
    referred: byMonth.check(z.describe('New members who came with the link of a member.')),
    referred_paid: byMonth.check(z.describe('First payments of such members, in that month.')),
    referred_rewarded: byMonth.check(z.describe('Of these payments, those that earned months.')),
  }),
  errors: ['invalid_period'],
})
