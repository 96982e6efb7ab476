// Royalty statements: each member's payments of a month, split between the artists that the member listened to. Months
// are in UTC.
import * as z from 'zod/mini'
import { timestamp } from '../fields/dates.ts'
import { endpoint } from '../endpoint.ts'
import { pageQuery, pagination } from '../fields/pagination.ts'
import { exportLimit } from '../rate-limit.ts'

const pattern = /^[12]\d{3}-(?:0[1-9]|1[0-2])$/
const month = z
  .string()
  .check(z.regex(pattern, 'Use a month such as 2026-11'))
  .check(z.describe('A month in UTC, such as `2026-11`.'))
const currency = z
  .optional(z.string().check(z.regex(/^[a-z]{3}$/)))
  .check(z.describe('Defaults to the currency in which most was paid in that month.'))

export const royaltyLine = z.object({
  artist_id: z.uuid(),
  name: z.string(),
  minutes: z.number().check(z.describe('Minutes of full tracks played by paying members.')),
  listeners: z.number().check(z.describe('Number of paying members who listened to the artist.')),
  amount_cents: z.number().check(z.describe("The artist's share.")),
})
export type RoyaltyLine = z.infer<typeof royaltyLine>

const summary = {
  month: z.string(),
  currency: z.string(),
  other_currencies: z
    .array(z.string())
    .check(z.describe('Other currencies in which payments were made in that month.')),
  net_cents: z
    .number()
    .check(z.describe('All payments of the month, less refunds. The sum of all shares.')),
  owner_cents: z
    .number()
    .check(
      z.describe(
        "The owner's share: from members who played nothing, and from members whose refunds exceeded their payments.",
      ),
    ),
  paying: z.number().check(z.describe('Number of members with a payment in the month.')),
  closed_at: z
    .nullable(timestamp)
    .check(
      z.describe(
        'When the month was closed, after which the statement no longer changes. Null if the statement is computed now.',
      ),
    ),
}

export const getRoyalties = endpoint({
  method: 'GET',
  path: '/api/admin-royalties',
  summary:
    "The statement of a month: each member's payments, split between artists by the minutes that the member listened to them.",
  access: 'admin',
  query: z.object({ month, currency, ...pageQuery(50) }),
  output: z.object({ ...summary, data: z.array(royaltyLine), pagination }),
})

export const exportRoyalties = endpoint({
  method: 'GET',
  path: '/api/admin-royalties/export.csv',
  summary: "The statement of a month as CSV, including a line for the owner's share.",
  access: 'admin',
  audit: { royalty: ['export'] },
  needsConfirmation: true,
  query: z.object({ month, currency }),
  produces: 'text/csv',
  rateLimit: exportLimit,
})

export const closeRoyalties = endpoint({
  method: 'POST',
  path: '/api/admin-royalties',
  summary:
    'Close a past month. The statement is stored and no longer affected by refunds or deletions.',
  access: 'admin',
  creates: true,
  audit: { royalty: ['create'] },
  body: z.object({ month }),
  output: z.object({ month: z.string(), closed_at: timestamp }),
  errors: ['month_not_over', 'month_closed'],
})
