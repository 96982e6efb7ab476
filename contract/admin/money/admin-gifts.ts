// Sold gifts, for admins.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { timestamp } from '../../fields/dates.ts'
import { pageQuery, pagination } from '../../fields/pagination.ts'
import { giftStates } from '../../gifts.ts'
import { adminMailLimit } from '../../rate-limit.ts'

const person = (who: string) =>
  z.nullable(z.object({ id: z.uuid(), email: z.string() })).check(z.describe(who))

export const adminGift = z.object({
  id: z.uuid(),
  months: z.number(),
  amount_cents: z.number(),
  currency: z.string(),
  state: z
    .enum(giftStates)
    .check(
      z.describe('`open`: the buyer passes the code on. `scheduled`: the email is not due yet.'),
    ),
  buyer: person('The buyer. Null if the account was deleted.'),
  from_name: z.string(),
  recipient_email: z
    .nullable(z.string())
    .check(z.describe('Null if the buyer passes the code on.')),
  send_at: z
    .nullable(timestamp)
    .check(z.describe('When the email is due. Null if no email is planned.')),
  sent_at: z.nullable(timestamp).check(z.describe('When the email was sent. Null if not yet.')),
  paid_at: timestamp,
  redeemed_by: person(
    'The person who redeemed it. Null if nobody has, or if the account was deleted.',
  ),
  redeemed_at: z.nullable(timestamp).check(z.describe('Null if not redeemed yet.')),
  plan_from: z
    .nullable(timestamp)
    .check(
      z.describe(
        'Start of the granted Premium period. Null if the gift is not redeemed, or its period starts later.',
      ),
    ),
  plan_to: z
    .nullable(timestamp)
    .check(z.describe('End of the granted Premium period. Null if `plan_from` is null.')),
  refunded_at: z.nullable(timestamp).check(z.describe('Null if it was not refunded.')),
  payment_id: z
    .nullable(z.uuid())
    .check(z.describe('The ledger entry to refund. Null if there is none.')),
  refunded_cents: z.number(),
})
export type AdminGift = z.infer<typeof adminGift>

export const listSoldGifts = endpoint({
  method: 'GET',
  path: '/api/admin-gifts',
  summary: 'Paid gifts, newest first.',
  access: 'admin',
  query: z.object({
    q: z
      .optional(z.string().check(z.trim(), z.maxLength(200)))
      .check(
        z.describe(
          'Part of the email address of the buyer, the recipient or the person who redeemed it.',
        ),
      ),
    state: z.optional(z.enum(giftStates)),
    ...pageQuery(20),
  }),
  output: z.object({ data: z.array(adminGift), pagination }),
})

export const resendGift = endpoint({
  method: 'POST',
  path: '/api/admin-gifts/:gift_id/resend',
  summary: 'Email the code again, to the recipient or to the buyer who passes it on.',
  access: 'admin',
  audit: { gift: ['update'] },
  params: z.object({ gift_id: z.uuid() }),
  output: adminGift,
  rateLimit: adminMailLimit,
  errors: ['gift_not_found', 'gift_not_open'],
})
