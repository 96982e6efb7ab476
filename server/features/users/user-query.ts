// The SELECT for a person in the back office.
import type { AdminUser } from '#contract/admin/admin-users.ts'
import type { Handle } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { shownRole } from '../people/people-selection.ts'

export function selectUsers(handle: Handle) {
  return selectPeopleWithRoles(handle).select([
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

/** Selects from people (`p`) joined with their roles (`r`). The caller adds the columns. */
export function selectPeopleWithRoles(handle: Handle) {
  return handle.query.selectFrom('profiles as p').innerJoin('user_roles as r', 'r.user_id', 'p.id')
}

/** Throws `user_not_found`. */
export async function findUser(handle: Handle, id: string): Promise<AdminUser> {
  const user = await selectUsers(handle).where('p.id', '=', id).executeTakeFirst()
  if (!user) throw new AppError('user_not_found')
  return user
}
