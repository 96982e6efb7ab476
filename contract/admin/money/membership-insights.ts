// Why members leave, and whom they refer, by month.
import * as z from 'zod/mini'
import { cancelReasons } from '../../cancellations.ts'
import { endpoint } from '../../endpoint.ts'
import { day } from '../../fields/dates.ts'

const byMonth = z.array(z.number())

export const getMembershipInsights = endpoint({
  method: 'GET',
  path: '/api/admin-insights/membership',
  summary:
    'Cancellations with reasons, retention offers and referrals by month (UTC). Demo data is not included.',
  access: 'admin',
  mayLag: true,
  query: z.object({ start: day, end: day }),
  output: z.object({
    months: z
      .array(z.string())
      .check(
        z.describe(
          'Months such as `2026-11`, oldest first. All other lists contain one number per month.',
        ),
      ),
    reasons: z
      .array(z.object({ reason: z.enum(cancelReasons), counts: byMonth }))
      .check(z.describe('Cancellations that were not reversed, the most frequent reason first.')),
    offers_taken: byMonth.check(
      z.describe('Members who had canceled and accepted the retention offer.'),
    ),
    offers_kept: byMonth.check(z.describe('Of these, members who still pay.')),
    referred: byMonth.check(z.describe('New members who joined through a referral link.')),
    referred_paid: byMonth.check(z.describe('First payments of referred members in that month.')),
    referred_rewarded: byMonth.check(z.describe('Of these payments, those that earned a reward.')),
  }),
  errors: ['invalid_period'],
})
