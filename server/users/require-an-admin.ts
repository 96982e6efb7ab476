// A service without an admin cannot be run any more.
import type { Transaction } from '../db/database.ts'
import { AppError } from '../http/app-error.ts'

/**
 * Call it before anybody is locked in a transaction that may take an admin's rights: such changes take turns, and none
 * waits for another that waits for it.
 */
export async function lockAdmins(trx: Transaction): Promise<void> {
  await trx.query
    .selectFrom('user_roles')
    .select('user_id')
    .where('role', '=', 'admin')
    .orderBy('user_id')
    .forUpdate()
    .execute()
}

/** Throws `last_admin`. Right only after lockAdmins(). */
export async function requireAnAdmin(trx: Transaction): Promise<void> {
  const admin = await trx.query
    .selectFrom('user_roles as r')
    .innerJoin('profiles as p', 'p.id', 'r.user_id')
    .select('r.user_id')
    .where('r.role', '=', 'admin')
    .where('p.banned_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (!admin) throw new AppError('last_admin')
}
