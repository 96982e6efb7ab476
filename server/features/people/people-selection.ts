// Builds SQL that selects and orders people by the filters of the lists Users and Billing, for pages, exports and bulk
// changes.
import { sql, type RawBuilder } from 'kysely'
import type { runBillingAction, SubscriptionSort } from '#contract/admin/admin-billing.ts'
import type { exportUsers, UserSort } from '#contract/admin/admin-users.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import type { Direction } from '#contract/fields/pagination.ts'
import type { Role } from '#contract/plans.ts'
import type { Handle } from '../../platform/db/database.ts'
import { computePageWindow } from '../../platform/db/page-window.ts'
import { searchPattern } from '../../platform/db/search-pattern.ts'

export type UserFilters = ParsedInput<typeof exportUsers>['query']
export type SubscriptionFilters = Pick<
  Extract<ParsedInput<typeof runBillingAction>['body'], { action: 'list_subscriptions' }>,
  'q' | 'tier' | 'status' | 'payment_method' | 'renews_from' | 'renews_to' | 'notes'
>

/** The filters of both lists, under the same names. */
export interface PeopleFilters extends UserFilters {
  payment_method?: SubscriptionFilters['payment_method']
  renews_from?: string | undefined
  renews_to?: string | undefined
  notes?: SubscriptionFilters['notes']
}

export function toPeopleFilters(filters: SubscriptionFilters): PeopleFilters {
  const { q, tier, status, payment_method, renews_from, renews_to, notes } = filters
  return {
    q,
    subscription_tier: tier,
    subscription_status: status,
    payment_method,
    renews_from,
    renews_to,
    notes,
  }
}

/** The role shown in lists: 'banned' if the person is banned. */
export const shownRole = sql<Role>`case when p.banned_at is not null then 'banned' else r.role end`

const orders: Record<UserSort | SubscriptionSort, RawBuilder<unknown>> = {
  email: sql`p.email`,
  display_name: sql`nullif(lower(p.display_name), '')`,
  role: shownRole,
  subscription_tier: sql`p.subscription_tier`,
  tier: sql`p.subscription_tier`,
  status: sql`p.subscription_status`,
  payment_method: sql`s.payment_method`,
  renewal_date: sql`p.subscription_ends_at`,
  notes: sql`nullif(lower(left(s.notes, 100)), '')`,
  created_at: sql`p.created_at`,
}

type PeopleSort = keyof typeof orders

/**
 * Returns the SQL `from profiles p … where …`. Joins roles and subscriptions only if a filter or the order needs them.
 */
export function selectPeople(filters: PeopleFilters, sort?: PeopleSort): RawBuilder<unknown> {
  const { role, payment_method, notes } = filters
  const withRoles = (role && role !== 'banned') || sort === 'role'
  const withPayment = payment_method || notes || sort === 'payment_method' || sort === 'notes'
  return sql`from profiles p
    ${withRoles ? sql`join user_roles r on r.user_id = p.id` : sql``}
    ${withPayment ? sql`left join subscriptions s on s.user_id = p.id` : sql``}
    where ${sql.join([sql`true`, ...conditionsOf(filters)], sql` and `)}`
}

export async function countSelected(handle: Handle, filters: PeopleFilters): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total ${selectPeople(filters)}`.execute(handle.query)
  return rows[0]!.total
}

/** Returns the ids of the people on one page, in the order of the list. */
export async function readPageOfPeople(
  handle: Handle,
  filters: PeopleFilters,
  page: { page: number; page_size: number; sort: PeopleSort; direction: Direction },
  total: number,
): Promise<string[]> {
  const { sort } = page
  const { limit, offset, direction } = computePageWindow(page, total, page.direction)
  if (limit === 0) return []
  const isReversed = direction !== page.direction
  const { rows } = await sql<{ id: string }>`
    select p.id ${selectPeople(filters, sort)}
    ${orderPeople(sort, page.direction, isReversed)}
    limit ${limit} offset ${offset}`.execute(handle.query)
  const ids = rows.map(({ id }) => id)
  return isReversed ? ids.toReversed() : ids
}

/** Returns the rows in the order of the ids. Omits people who have been deleted in the meantime. */
export function sortByIds<Row>(
  rows: readonly Row[],
  ids: readonly string[],
  idOf: (row: Row) => string,
): Row[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/**
 * Returns the SQL `order by …` with empty values last. `isReversed` reverses the whole order, including empty values.
 */
function orderPeople(
  sort: PeopleSort,
  direction: Direction,
  isReversed: boolean,
): RawBuilder<unknown> {
  const isAscending = (direction === 'asc') !== isReversed
  const way = isAscending ? sql`asc` : sql`desc`
  const canBeNull = ['display_name', 'payment_method', 'renewal_date', 'notes'].includes(sort)
  const nulls = canBeNull ? (isReversed ? sql`nulls first` : sql`nulls last`) : sql``
  return sql`order by ${orders[sort]} ${way} ${nulls}, p.id ${way}`
}

function conditionsOf(filters: PeopleFilters): RawBuilder<unknown>[] {
  const { q, role, subscription_status, subscription_tier, ids } = filters
  const { joined_from, joined_to, renews_from, renews_to, payment_method, notes } = filters
  const conditions: RawBuilder<unknown>[] = []
  if (q?.trim()) {
    const pattern = searchPattern(q)
    conditions.push(sql`(p.email like ${pattern} or lower(p.display_name) like ${pattern})`)
  }
  if (role === 'banned') conditions.push(sql`p.banned_at is not null`)
  else if (role) conditions.push(sql`(r.role = ${role} and p.banned_at is null)`)
  if (subscription_status) conditions.push(sql`p.subscription_status = ${subscription_status}`)
  if (subscription_tier) conditions.push(sql`p.subscription_tier = ${subscription_tier}`)
  if (filters.deletion_requested) conditions.push(sql`p.deletion_requested_at is not null`)
  if (joined_from) conditions.push(startsAt(sql`p.created_at`, joined_from))
  if (joined_to) conditions.push(endsAt(sql`p.created_at`, joined_to))
  if (renews_from) conditions.push(startsAt(sql`p.subscription_ends_at`, renews_from))
  if (renews_to) conditions.push(endsAt(sql`p.subscription_ends_at`, renews_to))
  if (payment_method === 'none') conditions.push(sql`s.payment_method is null`)
  else if (payment_method) conditions.push(sql`s.payment_method = ${payment_method}`)
  if (notes === 'with') conditions.push(sql`coalesce(s.notes, '') <> ''`)
  if (notes === 'without') conditions.push(sql`coalesce(s.notes, '') = ''`)
  if (ids) conditions.push(sql`p.id in (${sql.join(ids.map((id) => sql`${id}::uuid`))})`)
  return conditions
}

function startsAt(column: RawBuilder<unknown>, from: string): RawBuilder<unknown> {
  return sql`${column} >= ${from}::timestamptz`
}

/** Returns the SQL condition for the end of a range. A date includes the full day. A timestamp is exact. */
function endsAt(column: RawBuilder<unknown>, to: string): RawBuilder<unknown> {
  return to.length === 10
    ? sql`${column} < ${to}::date + interval '1 day'`
    : sql`${column} <= ${to}::timestamptz`
}
