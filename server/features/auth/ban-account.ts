// Bans and unbans accounts. A ban is a flag on the person, so lifting it restores the role. When the transaction
// commits, all sessions of the person end on every instance. The caller writes the audit entry in the same transaction.
import type { Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { endAllSessionsOf } from './sessions/session-operations.ts'

/** Returns false if the person was already banned. Throws `user_not_found`. */
export async function banAccount(trx: Transaction, userId: string, now: Date): Promise<boolean> {
  const wasBanned = await lockBan(trx, userId)
  if (wasBanned) return false
  await trx.query
    .updateTable('profiles')
    .set({ banned_at: now.toISOString(), updated_at: now.toISOString() })
    .where('id', '=', userId)
    .execute()
  await endAllSessionsOf(trx, userId)
  return true
}

/** Returns false if the person was not banned. Throws `user_not_found`. */
export async function unbanAccount(trx: Transaction, userId: string, now: Date): Promise<boolean> {
  const wasBanned = await lockBan(trx, userId)
  if (!wasBanned) return false
  await trx.query
    .updateTable('profiles')
    .set({ banned_at: null, updated_at: now.toISOString() })
    .where('id', '=', userId)
    .execute()
  return true
}

async function lockBan(trx: Transaction, userId: string): Promise<boolean> {
  const person = await trx.query
    .selectFrom('profiles')
    .select('banned_at')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!person) throw new AppError('user_not_found')
  return person.banned_at !== null
}
