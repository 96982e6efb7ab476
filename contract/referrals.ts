// Referrals: members invite friends, and both get months of Premium.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { hour, minute } from './rate-limit.ts'

/** A referral link is `/join/{code}`. */
export const referralPath = '/join/'
/** How long a browser stores the referral code until the sign-up. */
export const referralStoredDays = 30

/** A referral code. Upper and lower case are equal. */
export const referralCode = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.regex(/^[0-9a-z]{10}$/, 'This is not a valid referral code.'))

export const referralStates = ['joined', 'paid', 'rewarded', 'void'] as const
export type ReferralState = (typeof referralStates)[number]

export const referralVoidReasons = ['refunded', 'same_card', 'account_deleted', 'by_admin'] as const
export type ReferralVoidReason = (typeof referralVoidReasons)[number]

export const getOwnReferrals = endpoint({
  method: 'GET',
  path: '/api/referrals',
  summary: "The member's referral link and its results. Referred people are not named.",
  access: 'member',
  tokens: 'refused',
  output: z.object({
    months: z
      .number()
      .check(
        z.describe('Months of Premium for the member and the friend. 0 if referrals are off.'),
      ),
    wait_days: z
      .number()
      .check(z.describe("Days from the friend's first payment until the months are granted.")),
    yearly_limit: z.number().check(z.describe('How many friends count toward rewards per year.')),
    url: z.nullable(z.string()).check(z.describe('The link. Null if it has not been created yet.')),
    joined: z.number().check(z.describe('Friends who created an account.')),
    paid: z.number().check(z.describe('Number of these friends who paid for Premium.')),
    months_earned: z.number().check(z.describe('Months that the member was granted.')),
    months_waiting: z
      .number()
      .check(
        z.describe(
          'Months to be granted after the waiting period, or after the current plan ends.',
        ),
      ),
  }),
})

export const createReferralLink = endpoint({
  method: 'POST',
  path: '/api/referrals/link',
  summary: "Create the member's referral link. A repeated call returns the same link.",
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
  summary: 'What a referral link offers. The member it belongs to is not revealed.',
  access: 'anyone',
  params: z.object({ referral_code: referralCode }),
  output: z.object({ months: z.number() }),
  rateLimit: { name: 'referral-offer', per: 'caller', count: 60, seconds: 10 * minute },
  errors: ['referral_link_not_found'],
})
