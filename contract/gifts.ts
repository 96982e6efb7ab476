// Premium as a gift: buying and redeeming gift codes.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { timestamp } from './fields/dates.ts'
import { hour, paymentPageLimit } from './rate-limit.ts'

export const giftMonths = [1, 3, 12] as const
export type GiftMonths = (typeof giftMonths)[number]
const months = z.union(giftMonths.map((count) => z.literal(count)))

export const giftMessageMaxLength = 500

/** Query parameter of /gift that contains the code to redeem. */
export const giftCodeParam = 'code'
/** Query parameter added when Stripe's payment page returns to /gift. */
export const giftReturnParam = 'checkout'

export const giftStates = ['open', 'scheduled', 'sent', 'redeemed', 'refunded'] as const

export const gift = z.object({
  id: z.uuid(),
  months,
  amount_cents: z.number(),
  currency: z.string(),
  recipient_email: z
    .nullable(z.string())
    .check(z.describe('The recipient of the email. Null if the buyer passes the code on.')),
  message: z.string().check(z.describe('A short message to the recipient.')),
  send_at: z
    .nullable(timestamp)
    .check(z.describe('When the email is due. Null if no email is planned.')),
  state: z
    .enum(giftStates)
    .check(z.describe('`open`: the code can be passed on. `scheduled`: the email is not due yet.')),
  code: z.nullable(z.string()).check(z.describe('The code. Null if it was redeemed or refunded.')),
  created_at: timestamp,
})
export type Gift = z.infer<typeof gift>

export const listGifts = endpoint({
  method: 'GET',
  path: '/api/gifts',
  summary:
    'The gifts on offer with their prices, and the gifts that the member has bought, newest first.',
  access: 'member',
  tokens: 'refused',
  output: z.object({
    offers: z
      .array(z.object({ months, price_cents: z.number(), currency: z.string() }))
      .check(z.describe('The gifts on offer.')),
    is_purchase_live: z.boolean().check(z.describe('Whether gifts can be bought yet.')),
    data: z.array(gift),
  }),
})

export const buyGift = endpoint({
  method: 'POST',
  path: '/api/gifts',
  summary:
    'Open a Stripe payment page for a gift. Redirect the person to the returned URL. Gifts do not renew.',
  access: 'member',
  pays: true,
  tokens: 'refused',
  body: z.object({
    months,
    from_name: z
      .string()
      .check(z.trim(), z.minLength(1), z.maxLength(100), z.describe('The name of the giver.')),
    recipient_email: z
      .nullable(z.email().check(z.maxLength(320)))
      .check(
        z.describe('The recipient of the email with the code. Null if the buyer passes it on.'),
      ),
    message: z
      .string()
      .check(
        z.trim(),
        z.maxLength(giftMessageMaxLength),
        z.describe('A short message to the recipient.'),
      ),
    send_on: z
      .nullable(z.iso.date())
      .check(
        z.describe(
          'The day on which the email is sent. Null or a past day to send it immediately.',
        ),
      ),
  }),
  output: z.object({ url: z.string() }),
  rateLimit: paymentPageLimit,
  errors: ['stripe_not_configured', 'stripe_failed'],
})

export const redeemGift = endpoint({
  method: 'POST',
  path: '/api/gifts/redeem',
  summary:
    'Redeem a code. Without Premium, the gift starts immediately. A running gift is extended. For paying members, the gift starts when their plan ends.',
  access: 'member',
  changesCaller: true,
  tokens: 'refused',
  body: z.object({
    code: z.string().check(z.trim(), z.minLength(1), z.maxLength(40), z.describe('The gift code.')),
  }),
  output: z.object({
    months,
    starts: z.enum(['now', 'later']).check(z.describe('`later`: when the current plan ends.')),
    ends_at: z.nullable(timestamp).check(z.describe('When Premium ends. Null if it starts later.')),
  }),
  rateLimit: { name: 'gift-code', per: 'account', count: 20, seconds: hour },
  errors: ['gift_code_invalid', 'gift_redeemed', 'gift_not_needed'],
})
