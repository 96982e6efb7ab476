// Referrals, for admins.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { timestamp } from '../../fields/dates.ts'
import { pageQuery, pagination } from '../../fields/pagination.ts'
import { referralStates, referralVoidReasons } from '../../referrals.ts'

const person = z.nullable(
  z
    .object({ id: z.uuid(), email: z.string() })
    .check(z.describe('Null if the account was deleted.')),
)

export const rewardStates = ['none', 'waiting', 'given', 'ending', 'ended', 'over_limit'] as const
export type RewardState = (typeof rewardStates)[number]
const reward = z
  .enum(rewardStates)
  .check(
    z.describe(
      '`ending`: the reward is being revoked. `over_limit`: the member has reached the yearly limit.',
    ),
  )

export const adminReferral = z.object({
  id: z.uuid(),
  referrer: person,
  friend: person,
  months: z.number(),
  state: z.enum(referralStates),
  void_reason: z
    .nullable(z.enum(referralVoidReasons))
    .check(z.describe('Why the referral earns no reward. Null if it earns one.')),
  referrer_reward: reward,
  friend_reward: reward,
  joined_at: timestamp,
  paid_at: z.nullable(timestamp).check(z.describe('When the friend first paid. Null if not yet.')),
  due_at: z.nullable(timestamp).check(z.describe('When the months are granted.')),
})
export type AdminReferral = z.infer<typeof adminReferral>

export const listReferrals = endpoint({
  method: 'GET',
  path: '/api/admin-referrals',
  summary: 'Referrals, newest first, with overall statistics.',
  access: 'admin',
  query: z.object({
    q: z
      .optional(z.string().check(z.trim(), z.maxLength(200)))
      .check(z.describe('Part of the email address of the referrer or the friend.')),
    state: z.optional(z.enum(referralStates)),
    ...pageQuery(20),
  }),
  output: z.object({
    data: z.array(adminReferral),
    pagination,
    figures: z
      .object({
        joined: z.number(),
        paid: z.number(),
        rewarded: z.number(),
        void: z.number(),
        months_given: z.number(),
      })
      .check(z.describe('Totals over all referrals, regardless of the filters.')),
  }),
})

export const voidReferral = endpoint({
  method: 'POST',
  path: '/api/admin-referrals/:referral_id/void',
  summary:
    'Void a referral, so that it earns no reward. Granted months that are still unused are revoked.',
  access: 'admin',
  audit: { referral: ['update'] },
  params: z.object({ referral_id: z.uuid() }),
  output: adminReferral,
  errors: ['referral_not_found'],
})
