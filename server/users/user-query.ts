// The SELECT that yields a person as admins see them, and the filters of their list and export.
import { sql } from 'kysely'
import type { AdminUser, exportUsers } from '#contract/admin-users.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import type { Role } from '#contract/plans.ts'
import type { Handle } from '../db/database.ts'
import { searchPattern } from '../db/search-pattern.ts'
import { AppError } from '../http/app-error.ts'

/** A ban is shown as the role. */
const shownRole = sql<Role>`case when p.banned_at is not null then 'banned' else r.role end`

export function userQuery(handle: Handle) {
  return peopleQuery(handle).select([
    'p.id',
    'p.email',
    'p.display_name',
    shownRole.as('role'),
    'p.subscription_tier',
    'p.subscription_status',
    'p.created_at',
    'p.deletion_requested_at',
  ])
}

/** People with their roles, nothing selected yet. */
export function peopleQuery(handle: Handle) {
  return handle.query.selectFrom('profiles as p').innerJoin('user_roles as r', 'r.user_id', 'p.id')
}

type Filters = ParsedInput<typeof exportUsers>['query']

/** The condition that all given filters make together. */
export function matchesUserFilters({ q, role, subscription_status, deletion_requested }: Filters) {
  const conditions = [sql<boolean>`true`]
  if (q?.trim()) {
    const pattern = searchPattern(q)
    conditions.push(sql`(p.email like ${pattern} or lower(p.display_name) like ${pattern})`)
  }
  if (role === 'banned') conditions.push(sql`p.banned_at is not null`)
  else if (role) conditions.push(sql`(r.role = ${role} and p.banned_at is null)`)
  if (subscription_status) conditions.push(sql`p.subscription_status = ${subscription_status}`)
  if (deletion_requested) conditions.push(sql`p.deletion_requested_at is not null`)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** Throws `user_not_found`. */
export async function findUser(handle: Handle, id: string): Promise<AdminUser> {
  const user = await userQuery(handle).where('p.id', '=', id).executeTakeFirst()
  if (!user) throw new AppError('user_not_found')
  return user
}
