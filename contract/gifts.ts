// Premium as a gift: buying and redeeming it.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { timestamp } from './fields/dates.ts'
import { hour, paymentPageLimit } from './rate-limit.ts'

export const giftMonths = [1, 3, 12] as const
export type GiftMonths = (typeof giftMonths)[number]
const months = z.union(giftMonths.map((count) => z.literal(count)))

export const giftMessageMaxLength = 500

/** Query parameter of /gift with the code to redeem. */
export const giftCodeParam = 'code'
/** Query parameter that Stripe's payment page adds when it returns to /gift. */
export const giftReturnParam = 'checkout'

export const giftStates = ['open', 'scheduled', 'sent', 'redeemed', 'refunded'] as const

export const gift = z.object({
  id: z.uuid(),
  months,
  amount_cents: z.number(),
  currency: z.string(),
  recipient_email: z
    .nullable(z.string())
    .check(z.describe('Who gets the mail. Null: the buyer hands the code over.')),
  message: z.string().check(z.describe('A few words to the person who gets it.')),
  send_at: z.nullable(timestamp).check(z.describe('When the mail is due. Null: there is none.')),
  state: z
    .enum(giftStates)
    .check(
      z.describe('`open`: the code can be handed over. `scheduled`: the mail is not due yet.'),
    ),
  code: z.nullable(z.string()).check(z.describe('The code. Null: it was redeemed or refunded.')),
  created_at: timestamp,
})
export type Gift = z.infer<typeof gift>

export const listGifts = endpoint({
  method: 'GET',
  path: '/api/gifts',
  summary: 'What gifts cost, and those that the member has bought, newest first.',
  access: 'member',
  tokens: 'refused',
  output: z.object({
    offers: z
      .array(z.object({ months, price_cents: z.number(), currency: z.string() }))
      .check(z.describe('What can be bought.')),
    is_purchase_live: z.boolean().check(z.describe('False: nothing can be bought yet.')),
    data: z.array(gift),
  }),
})

export const buyGift = endpoint({
  method: 'POST',
  path: '/api/gifts',
  summary: 'A payment page at Stripe for a gift; the person goes to its address. Nothing renews.',
  access: 'member',
  pays: true,
  tokens: 'refused',
  body: z.object({
    months,
    from_name: z
      .string()
      .check(z.trim(), z.minLength(1), z.maxLength(100), z.describe('Whose gift it is.')),
    recipient_email: z
      .nullable(z.email().check(z.maxLength(320)))
      .check(z.describe('Who gets the code by mail. Null: the buyer hands it over.')),
    message: z
      .string()
      .check(
        z.trim(),
        z.maxLength(giftMessageMaxLength),
        z.describe('A few words to the person who gets it.'),
      ),
    send_on: z
      .nullable(z.iso.date())
      .check(z.describe('The day of the mail. Null, or in the past: at once.')),
  }),
  output: z.object({ url: z.string() }),
  rateLimit: paymentPageLimit,
  errors: ['stripe_not_configured', 'stripe_failed'],
})

export const redeemGift = endpoint({
  method: 'POST',
  path: '/api/gifts/redeem',
  summary:
    'Redeem a code. For people without Premium it starts at once, a gift that runs is extended, and for people who pay it starts when their plan has ended.',
  access: 'member',
  changesCaller: true,
  tokens: 'refused',
  body: z.object({ code: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)) }),
  output: z.object({
    months,
    starts: z
      .enum(['now', 'later'])
      .check(z.describe('`later`: as soon as the plan that runs has ended.')),
    ends_at: z.nullable(timestamp).check(z.describe('When Premium ends. Null: it starts later.')),
  }),
  rateLimit: { name: 'gift-code', per: 'account', count: 20, seconds: hour },
  errors: ['gift_code_invalid', 'gift_redeemed', 'gift_not_needed'],
})
