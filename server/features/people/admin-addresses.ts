// Lists the admins who receive the service's emails.
import type { Handle } from '../../platform/db/database.ts'

/** Returns all admins except banned ones and demo accounts, which have no mailbox. */
export function listMailableAdmins(handle: Handle): Promise<{ id: string; email: string }[]> {
  return handle.query
    .selectFrom('user_roles as r')
    .innerJoin('profiles as p', 'p.id', 'r.user_id')
    .select(['p.id', 'p.email'])
    .where('r.role', '=', 'admin')
    .where('p.banned_at', 'is', null)
    .where('p.is_demo', '=', false)
    .orderBy('p.email')
    .execute()
}
