// Royalty statements: what members paid in a month, split between the artists that each of them heard. Months are in UTC.
import * as z from 'zod/mini'
import { timestamp } from '../fields/dates.ts'
import { endpoint } from '../endpoint.ts'
import { pageQuery, pagination } from '../fields/pagination.ts'
import { exportLimit } from '../rate-limit.ts'

const pattern = /^[12]\d{3}-(?:0[1-9]|1[0-2])$/
const month = z
  .string()
  .check(z.regex(pattern, 'Use a month like 2026-11'))
  .check(z.describe('A month in UTC, such as `2026-11`.'))
const currency = z
  .optional(z.string().check(z.regex(/^[a-z]{3}$/)))
  .check(z.describe('By default the one in which most was paid in that month.'))

export const royaltyLine = z.object({
  artist_id: z.uuid(),
  name: z.string(),
  minutes: z.number().check(z.describe('Minutes of whole tracks that paying members heard.')),
  listeners: z.number().check(z.describe('Paying members who heard the artist.')),
  amount_cents: z.number().check(z.describe('The share of the artist.')),
})
export type RoyaltyLine = z.infer<typeof royaltyLine>

const summary = {
  month: z.string(),
  currency: z.string(),
  other_currencies: z
    .array(z.string())
    .check(z.describe('Other currencies in which was paid in that month.')),
  net_cents: z
    .number()
    .check(z.describe('All payments of the month less its refunds. The shares add up to it.')),
  owner_cents: z
    .number()
    .check(
      z.describe(
        'What stays with the owner: of members who heard nothing, and of those to whom more was paid back than they paid.',
      ),
    ),
  paying: z.number().check(z.describe('Members with a payment in the month.')),
  closed_at: z
    .nullable(timestamp)
    .check(z.describe('Since then the statement does not change. Null: computed now.')),
}

export const getRoyalties = endpoint({
  method: 'GET',
  path: '/api/admin-royalties',
  summary:
    "The statement of a month: each member's money, split by the minutes that this member heard of each artist.",
  access: 'admin',
  query: z.object({ month, currency, ...pageQuery(50) }),
  output: z.object({ ...summary, data: z.array(royaltyLine), pagination }),
})

export const exportRoyalties = endpoint({
  method: 'GET',
  path: '/api/admin-royalties/export.csv',
  summary: 'The statement of a month as CSV, with a line for what stays with the owner.',
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
    'Close a past month. Its statement is stored; later refunds and deletions do not change it.',
  access: 'admin',
  creates: true,
  audit: { royalty: ['create'] },
  body: z.object({ month }),
  output: z.object({ month: z.string(), closed_at: timestamp }),
  errors: ['month_not_over', 'month_closed'],
})
