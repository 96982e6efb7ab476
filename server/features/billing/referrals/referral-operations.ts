// Creates and returns a member's referral link, with the numbers of friends who joined with it and of months of Premium
// that it earned.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { referralPath } from '#contract/referrals.ts'
import type * as contract from '#contract/referrals.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Handle } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { Context, MemberContext } from '../../../platform/operations/context.ts'

export interface ReferralServices {
  config: Pick<Config, 'publicUrl'>
}

/**
 * The alphabet of referral codes, without letters that look like digits. The 10 characters of a code have 50 random
 * bits. A guessed code would do no harm.
 */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const codeLength = 10

export async function getOwnReferrals(
  { config }: ReferralServices,
  ctx: MemberContext,
): Promise<Output<typeof contract.getOwnReferrals>> {
  const { user_id } = ctx.actor
  const [terms, code, counts, rewards] = await Promise.all([
    readReferralTerms(ctx.db),
    readCode(ctx.db, user_id),
    countFriends(ctx.db, user_id),
    countMonths(ctx.db, user_id),
  ])
  return {
    months: terms.months,
    wait_days: terms.wait_days,
    yearly_limit: terms.yearly_limit,
    url: code === null ? null : urlOf(config, code),
    joined: counts.joined,
    paid: counts.paid,
    months_earned: rewards.given,
    months_waiting: counts.months_due + rewards.waiting,
  }
}

export async function createReferralLink(
  { config }: ReferralServices,
  ctx: MemberContext,
): Promise<Output<typeof contract.createReferralLink>> {
  const { months } = await readReferralTerms(ctx.db)
  const { user_id } = ctx.actor
  const kept = await readCode(ctx.db, user_id)
  if (kept === null) {
    if (months === 0) throw new AppError('referrals_closed')
    await ctx.db.query
      .insertInto('referral_links')
      .values({ user_id, code: generateCode() })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .execute()
  }
  const code = kept ?? (await readCode(ctx.db, user_id))
  if (code === null) throw new AppError('referrals_closed')
  return { url: urlOf(config, code) }
}

export async function getReferralOffer(
  ctx: Context,
  { params }: ParsedInput<typeof contract.getReferralOffer>,
): Promise<Output<typeof contract.getReferralOffer>> {
  const link = await ctx.db.query
    .selectFrom('referral_links as l')
    .innerJoin('profiles as p', 'p.id', 'l.user_id')
    .select('l.code')
    .where('l.code', '=', params.referral_code)
    .where('p.banned_at', 'is', null)
    .executeTakeFirst()
  const { months } = await readReferralTerms(ctx.db)
  if (!link || months === 0) throw new AppError('referral_link_not_found')
  return { months }
}

export async function readReferralTerms(
  handle: Handle,
): Promise<{ months: number; yearly_limit: number; wait_days: number }> {
  return handle.query
    .selectFrom('settings')
    .select([
      'referral_months as months',
      'referral_yearly_limit as yearly_limit',
      'referral_wait_days as wait_days',
    ])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
}

function generateCode(): string {
  return [...randomBytes(codeLength)].map((byte) => alphabet[byte % 32]).join('')
}

const urlOf = ({ publicUrl }: ReferralServices['config'], code: string) =>
  `${publicUrl}${referralPath}${code}`

async function readCode(handle: Handle, user_id: string): Promise<string | null> {
  const row = await handle.query
    .selectFrom('referral_links')
    .select('code')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return row?.code ?? null
}

function countFriends(handle: Handle, user_id: string) {
  return handle.query
    .selectFrom('referrals')
    .select([
      sql<number>`count(*)::int`.as('joined'),
      sql<number>`(count(*) filter (where paid_at is not null))::int`.as('paid'),
      sql<number>`coalesce(sum(months) filter (where state = 'paid'), 0)::int`.as('months_due'),
    ])
    .where('referrer_id', '=', user_id)
    .executeTakeFirstOrThrow()
}

function countMonths(handle: Handle, user_id: string) {
  return handle.query
    .selectFrom('referral_rewards')
    .select([
      sql<number>`coalesce(sum(months) filter (where state = 'given'), 0)::int`.as('given'),
      sql<number>`coalesce(sum(months) filter (where state = 'waiting'), 0)::int`.as('waiting'),
    ])
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
}
