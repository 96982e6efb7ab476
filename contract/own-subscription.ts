// A member's subscription: canceling it, resuming it, and the retention offer.
import * as z from 'zod/mini'
import { cancelCommentMaxLength, cancelFeedbacks } from './cancellations.ts'
import { endpoint } from './endpoint.ts'
import { timestamp } from './fields/dates.ts'
import { paymentPageLimit } from './rate-limit.ts'

export const ownSubscription = z.object({
  cancels: z
    .boolean()
    .check(
      z.describe(
        'Whether it is canceled and ends at the end of the period. Until then it can be resumed. If false, it renews.',
      ),
    ),
  ends_at: z.nullable(timestamp).check(z.describe('The end of the paid period or of the trial.')),
  ends_at_once: z
    .boolean()
    .check(
      z.describe(
        'Whether canceling ends it immediately, because nothing has been paid in advance.',
      ),
    ),
  retention_offer: z
    .nullable(
      z.object({
        percent_off: z.number().check(z.describe('The discount on each payment, in percent.')),
        months: z.number().check(z.describe('For how many months the discount applies.')),
      }),
    )
    .check(z.describe('The retention offer, a discount for not canceling. Null if there is none.')),
})
export type OwnSubscription = z.infer<typeof ownSubscription>

const output = z.object({
  data: z
    .nullable(ownSubscription)
    .check(z.describe('The subscription. Null if there is none in Stripe.')),
})

const errors = ['no_subscription', 'stripe_not_configured', 'stripe_failed'] as const

export const getOwnSubscription = endpoint({
  method: 'GET',
  path: '/api/billing/subscription',
  summary: "The member's Stripe subscription.",
  access: 'member',
  output,
})

export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/api/billing/subscription/cancel',
  summary:
    'Cancel at the end of the paid period, or immediately if nothing has been paid in advance. Canceling again changes nothing.',
  access: 'member',
  changesCaller: true,
  tokens: 'refused',
  body: z.object({
    feedback: z
      .nullable(z.enum(cancelFeedbacks))
      .check(z.describe('The reason for canceling. Null if the member gives none.')),
    comment: z
      .optional(z.string().check(z.trim(), z.maxLength(cancelCommentMaxLength)))
      .check(z.describe("The reason in the member's own words.")),
  }),
  output,
  rateLimit: paymentPageLimit,
  errors,
})

export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/api/billing/subscription/resume',
  summary: 'Resume a canceled subscription, so that it renews. Possible until it ends.',
  access: 'member',
  tokens: 'refused',
  output,
  rateLimit: paymentPageLimit,
  errors,
})

export const acceptRetentionOffer = endpoint({
  method: 'POST',
  path: '/api/billing/subscription/stay',
  summary: 'Accept the retention offer. Possible once a year.',
  access: 'member',
  tokens: 'refused',
  output,
  rateLimit: paymentPageLimit,
  errors: [...errors, 'offer_not_available'],
})
