// The subscription of a member: canceling it, resuming it, and the offer to stay.
import * as z from 'zod/mini'
import { cancelCommentMaxLength, cancelFeedbacks } from './cancellations.ts'
import { endpoint } from './endpoint.ts'
import { timestamp } from './fields/dates.ts'
import { paymentPageLimit } from './rate-limit.ts'

export const ownSubscription = z.object({
  cancels: z
    .boolean()
    .check(z.describe('It is canceled, and can be resumed until it ends. False: it renews.')),
  ends_at: z
    .nullable(timestamp)
    .check(z.describe('Until when Premium is paid, or the trial lasts.')),
  ends_at_once: z
    .boolean()
    .check(z.describe('Canceling ends it at once, because nothing is paid ahead.')),
  retention_offer: z
    .nullable(
      z.object({
        percent_off: z.number().check(z.describe('What each payment costs less, in percent.')),
        months: z.number().check(z.describe('For how many months.')),
      }),
    )
    .check(z.describe('What staying is offered for. Null: there is no offer.')),
})
export type OwnSubscription = z.infer<typeof ownSubscription>

const output = z.object({
  data: z
    .nullable(ownSubscription)
    .check(z.describe('The subscription. Null: Stripe bills nothing.')),
})

const errors = ['no_subscription', 'stripe_not_configured', 'stripe_failed'] as const

export const getOwnSubscription = endpoint({
  method: 'GET',
  path: '/api/billing/subscription',
  summary: 'The subscription of the member that Stripe bills.',
  access: 'member',
  output,
})

export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/api/billing/subscription/cancel',
  summary:
    'Cancel at the end of what is paid. What is not paid ahead ends at once. Canceling again changes nothing.',
  access: 'member',
  changesCaller: true,
  tokens: 'refused',
  body: z.object({
    feedback: z
      .nullable(z.enum(cancelFeedbacks))
      .check(z.describe('Why. Null: the member does not want to say.')),
    comment: z
      .optional(z.string().check(z.trim(), z.maxLength(cancelCommentMaxLength)))
      .check(z.describe('Why, in their own words.')),
  }),
  output,
  rateLimit: paymentPageLimit,
  errors,
})

export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/api/billing/subscription/resume',
  summary: 'Take the cancellation back: the subscription renews. Possible until it ends.',
  access: 'member',
  tokens: 'refused',
  output,
  rateLimit: paymentPageLimit,
  errors,
})

export const acceptRetentionOffer = endpoint({
  method: 'POST',
  path: '/api/billing/subscription/stay',
  summary: 'Accept the offer to stay. Once a year.',
  access: 'member',
  tokens: 'refused',
  output,
  rateLimit: paymentPageLimit,
  errors: [...errors, 'offer_not_available'],
})
