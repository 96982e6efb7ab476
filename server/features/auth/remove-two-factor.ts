// Removes a person's second factor without the password. An admin can do this for someone who lost the device, and so
// does a password reset that confirms the address for the first time. The caller writes the audit entry in the same
// transaction.
import type { Transaction } from '../../platform/db/database.ts'

/** Returns false if the second factor was not enabled. */
export async function deleteTwoFactor(
  trx: Transaction,
  userId: string,
  now: Date,
): Promise<boolean> {
  await trx.query.deleteFrom('two_factors').where('user_id', '=', userId).execute()
  const result = await trx.query
    .updateTable('profiles')
    .set({ two_factor_enabled: false, updated_at: now.toISOString() })
    .where('id', '=', userId)
    .where('two_factor_enabled', '=', true)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Confirms the address after a password reset by email. An unconfirmed account may have been created by someone else,
 * with a second factor that would lock out the address's owner: removes it and returns whether there was one.
 */
export async function confirmAddressByReset(
  trx: Transaction,
  userId: string,
  now: Date,
): Promise<boolean> {
  const result = await trx.query
    .updateTable('profiles')
    .set({ email_verified: true, updated_at: now.toISOString() })
    .where('id', '=', userId)
    .where('email_verified', '=', false)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n && deleteTwoFactor(trx, userId, now)
}
