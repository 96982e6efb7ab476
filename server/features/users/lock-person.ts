// Serializes changes to one account: every admin operation locks the person's row before changing it.
import type { Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'

/** Locks the person's row. Throws `user_not_found`. */
export async function lockPerson(trx: Transaction, id: string): Promise<void> {
  const row = await trx.query
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('user_not_found')
}
