// Gifts that were sold, for admins.
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
      z.describe('`open`: the buyer hands the code over. `scheduled`: the mail is not due yet.'),
    ),
  buyer: person('Who bought it. Null: the account was deleted.'),
  from_name: z.string(),
  recipient_email: z.nullable(z.string()).check(z.describe('Null: the buyer hands it over.')),
  send_at: z.nullable(timestamp).check(z.describe('When the mail is due. Null: there is none.')),
  sent_at: z.nullable(timestamp).check(z.describe('When it was sent on. Null: not yet.')),
  paid_at: timestamp,
  redeemed_by: person('Who redeemed it. Null: nobody, or the account was deleted.'),
  redeemed_at: z.nullable(timestamp).check(z.describe('Null: not yet.')),
  plan_from: z
    .nullable(timestamp)
    .check(z.describe('The time that it gives. Null: it was not redeemed, or starts later.')),
  plan_to: z.nullable(timestamp).check(z.describe('When this time ends. Null like its start.')),
  refunded_at: z.nullable(timestamp).check(z.describe('Null: it was not refunded.')),
  payment_id: z
    .nullable(z.uuid())
    .check(z.describe('The entry of the ledger, for a refund. Null: it is not there.')),
  refunded_cents: z.number(),
})
export type AdminGift = z.infer<typeof adminGift>

export const listSoldGifts = endpoint({
  method: 'GET',
  path: '/api/admin-gifts',
  summary: 'Gifts that were paid, newest first.',
  access: 'admin',
  query: z.object({
    q: z
      .optional(z.string().check(z.trim(), z.maxLength(200)))
      .check(z.describe('Part of an address: who bought, gets or redeemed it.')),
    state: z.optional(z.enum(giftStates)),
    ...pageQuery(20),
  }),
  output: z.object({ data: z.array(adminGift), pagination }),
})

export const resendGift = endpoint({
  method: 'POST',
  path: '/api/admin-gifts/:gift_id/resend',
  summary: 'Mail the code again: to the person who gets it, or to the buyer who hands it over.',
  access: 'admin',
  audit: { gift: ['update'] },
  params: z.object({ gift_id: z.uuid() }),
  output: adminGift,
  rateLimit: adminMailLimit,
  errors: ['gift_not_found', 'gift_not_open'],
})
