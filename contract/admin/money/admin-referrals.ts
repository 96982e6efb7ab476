// Members who bring friends, for admins.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { timestamp } from '../../fields/dates.ts'
import { pageQuery, pagination } from '../../fields/pagination.ts'
import { referralStates, referralVoidReasons } from '../../referrals.ts'

const person = z.nullable(
  z.object({ id: z.uuid(), email: z.string() }).check(z.describe('Null: the account was deleted.')),
)

export const rewardStates = ['none', 'waiting', 'given', 'ending', 'ended', 'over_limit'] as const
export type RewardState = (typeof rewardStates)[number]
const reward = z
  .enum(rewardStates)
  .check(
    z.describe(
      '`ending`: it is being taken back. `over_limit`: the member had as many as a year allows.',
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
    .check(z.describe('Why it earns nothing. Null: it does.')),
  referrer_reward: reward,
  friend_reward: reward,
  joined_at: timestamp,
  paid_at: z.nullable(timestamp).check(z.describe('First payment of the friend. Null: none yet.')),
  due_at: z.nullable(timestamp).check(z.describe('When the months are due.')),
})
export type AdminReferral = z.infer<typeof adminReferral>

export const listReferrals = endpoint({
  method: 'GET',
  path: '/api/admin-referrals',
  summary: 'Who joined with the link of a member, newest first, with figures of all of them.',
  access: 'admin',
  query: z.object({
    q: z
      .optional(z.string().check(z.trim(), z.maxLength(200)))
      .check(z.describe('Part of the address of either.')),
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
      .check(z.describe('Of all referrals, not only those that match the search.')),
  }),
})

export const voidReferral = endpoint({
  method: 'POST',
  path: '/api/admin-referrals/:referral_id/void',
  summary: 'It earns nothing. Months that were given and not used yet are taken back.',
  access: 'admin',
  audit: { referral: ['update'] },
  params: z.object({ referral_id: z.uuid() }),
  output: adminReferral,
  errors: ['referral_not_found'],
})
