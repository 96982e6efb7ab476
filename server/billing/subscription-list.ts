// The list of subscriptions in the back office: one row a person, quick at a million of them.
import { sql, type RawBuilder } from 'kysely'
import type { runBillingAction } from '#contract/admin-billing.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/pagination.ts'
import { pageWindow } from '../db/page-window.ts'
import { searchPattern } from '../db/search-pattern.ts'
import type { MemberContext } from '../http/context.ts'
import { subscriptionQuery } from './subscription-query.ts'

/** Everybody, or whose address holds `q`: newest first, with the numbers of all of them. */
export async function listSubscriptions(
  ctx: MemberContext,
  body: Extract<ParsedInput<typeof runBillingAction>['body'], { action: 'list_subscriptions' }>,
): Promise<Output<typeof runBillingAction>> {
  const pattern = searchPattern(body.q ?? '')
  const isSearch = Boolean(body.q?.trim())
  const matches = isSearch ? sql<boolean>`p.email like ${pattern}` : sql<boolean>`true`
  const [found, summary] = await Promise.all([
    isSearch ? countSubscriptions(ctx, matches) : null,
    summariseSubscriptions(ctx),
  ])
  const total = found ?? summary.total_users
  const { limit, offset, direction } = pageWindow(body, total, 'desc')
  const subscriptions = await subscriptionQuery(ctx.db)
    // Skipped rows are read from the index alone: whose they are matters only for the page.
    .where('p.id', 'in', (eb) =>
      eb
        .selectFrom('profiles as p')
        .select('p.id')
        .where(matches)
        .orderBy('p.created_at', direction)
        .orderBy('p.id', direction)
        .limit(limit)
        .offset(offset),
    )
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
    .execute()
  return { subscriptions, summary, pagination: paginate(body, total) }
}

async function countSubscriptions(ctx: MemberContext, matches: RawBuilder<boolean>) {
  const { total } = await ctx.db.query
    .selectFrom('profiles as p')
    .where(matches)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** From the kept counts, which know a million people without visiting them. */
function summariseSubscriptions(ctx: MemberContext) {
  return ctx.db.query
    .selectFrom('people_counts')
    .select([
      sql<number>`coalesce(sum(count), 0)`.as('total_users'),
      sql<number>`coalesce(sum(count) filter (where subscription_status = 'active'), 0)`.as(
        'active_subscribers',
      ),
      sql<number>`coalesce(sum(count) filter (where is_premium), 0)`.as('premium_users'),
    ])
    .executeTakeFirstOrThrow()
}
