// The subscription list in the back office: one row per person. The list must stay fast with a million people.
import { sql } from 'kysely'
import type { runBillingAction } from '#contract/admin/admin-billing.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import {
  countSelected,
  sortByIds,
  toPeopleFilters,
  readPageOfPeople,
} from '../people/people-selection.ts'
import { listAtRisk } from './failed-payments.ts'
import { selectSubscriptions } from './subscription-query.ts'

/**
 * Lists people who match the filters, newest first unless another order is given. The totals above the list include all
 * people, not only those who match.
 */
export async function listSubscriptions(
  ctx: MemberContext,
  body: Extract<ParsedInput<typeof runBillingAction>['body'], { action: 'list_subscriptions' }>,
): Promise<Output<typeof runBillingAction>> {
  const filters = toPeopleFilters(body)
  const isFiltered = Object.values(filters).some((value) => value?.trim())
  const [found, summary, at_risk] = await Promise.all([
    isFiltered ? countSelected(ctx.db, filters) : null,
    summarizeSubscriptions(ctx),
    listAtRisk(ctx.db),
  ])
  const total = found ?? summary.total_users
  const ids = await readPageOfPeople(ctx.db, filters, body, total)
  const rows =
    ids.length === 0 ? [] : await selectSubscriptions(ctx.db).where('p.id', 'in', ids).execute()
  const subscriptions = sortByIds(rows, ids, ({ user_id }) => user_id)
  return { subscriptions, summary, at_risk, pagination: paginate(body, total) }
}

/** Reads the totals from counters that triggers update, which avoids scanning all people. */
function summarizeSubscriptions(ctx: MemberContext) {
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
