// Ensures that at least one admin remains, so that the service can still be managed.
import type { Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'

/**
 * Locks all admins. Call this before locking any person in a transaction that may remove an admin's rights. It
 * serializes such changes and prevents deadlocks between them.
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

/** Throws `last_admin` if no admin is left. Call `lockAdmins` first. */
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
