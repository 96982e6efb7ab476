// Members bring friends, and both get months of Premium.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { hour, minute } from './rate-limit.ts'

/** A link is `/join/{code}`. */
export const referralPath = '/join/'
/** For how long a browser keeps the code of a link until the sign-up. */
export const referralKeptDays = 30

/** The code of a link, in any case. */
export const referralCode = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.regex(/^[0-9a-z]{10}$/, 'This is not the code of a link.'))

export const referralStates = ['joined', 'paid', 'rewarded', 'void'] as const
export type ReferralState = (typeof referralStates)[number]

export const referralVoidReasons = ['refunded', 'same_card', 'account_deleted', 'by_admin'] as const
export type ReferralVoidReason = (typeof referralVoidReasons)[number]

export const getOwnReferrals = endpoint({
  method: 'GET',
  path: '/api/referrals',
  summary: "The member's link, and what came of it. Nobody who joined is named.",
  access: 'member',
  tokens: 'refused',
  output: z.object({
    months: z
      .number()
      .check(z.describe('Months of Premium for the member and the friend. 0: no new links.')),
    wait_days: z
      .number()
      .check(z.describe("Days between the friend's first payment and the months.")),
    yearly_limit: z.number().check(z.describe('How many friends count in a year.')),
    url: z.nullable(z.string()).check(z.describe('The link. Null: it was not made yet.')),
    joined: z.number().check(z.describe('Friends who made an account.')),
    paid: z.number().check(z.describe('Friends of these who paid for Premium.')),
    months_earned: z.number().check(z.describe('Months that the member got.')),
    months_waiting: z
      .number()
      .check(z.describe('Months that follow: the wait is not over, or the plan has to end first.')),
  }),
})

export const createReferralLink = endpoint({
  method: 'POST',
  path: '/api/referrals/link',
  summary: "Make the member's link. A second call returns the same one.",
  access: 'member',
  tokens: 'refused',
  creates: true,
  output: z.object({ url: z.string() }),
  rateLimit: { name: 'referral-link', per: 'account', count: 20, seconds: hour },
  errors: ['referrals_closed'],
})

export const getReferralOffer = endpoint({
  method: 'GET',
  path: '/api/referrals/:referral_code',
  summary: 'What a link offers. It does not say whose link it is.',
  access: 'anyone',
  params: z.object({ referral_code: referralCode }),
  output: z.object({ months: z.number() }),
  rateLimit: { name: 'referral-offer', per: 'caller', count: 60, seconds: 10 * minute },
  errors: ['referral_link_not_found'],
})
