// Creates accounts without a sign-up: when an admin adds one, on the first start, and for the demo.
import type { SubscriptionStatus, Tier } from '#contract/plans.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'

export interface NewUser {
  /** The address as returned by parseEmail. */
  email: string
  /** The hash as returned by hashNewPassword. */
  passwordHash: string
  display_name?: string
  role?: 'admin' | 'editor' | 'creator' | 'member'
  subscription_tier?: Tier
  subscription_status?: SubscriptionStatus
  is_demo?: boolean
}

/** Inserts profile, role and credentials. Returns the new id. Throws `email_exists`. */
export async function createUser(trx: Transaction, user: NewUser): Promise<string> {
  const profile = await trx.query
    .insertInto('profiles')
    .values({
      email: user.email,
      // The address counts as confirmed, because an admin created the account.
      email_verified: true,
      display_name: user.display_name ?? '',
      subscription_tier: user.subscription_tier ?? 'free',
      subscription_status: user.subscription_status ?? 'inactive',
      is_demo: user.is_demo ?? false,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!profile) throw new AppError('email_exists')
  if (user.role) await setRole(trx, profile.id, user.role)
  await setPassword(trx, profile.id, user.passwordHash)
  return profile.id
}

/** Replaces a person's role; a ban is stored separately and kept. Throws `user_not_found`. */
export async function setRole(
  trx: Transaction,
  userId: string,
  role: NonNullable<NewUser['role']>,
): Promise<void> {
  const result = await trx.query
    .updateTable('user_roles')
    .set({ role })
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) throw new AppError('user_not_found')
}

/** Sets the password. A database trigger ends all sessions that were started with the old one. */
export async function setPassword(
  trx: Transaction,
  userId: string,
  passwordHash: string,
): Promise<void> {
  await trx.query
    .insertInto('accounts')
    .values({
      user_id: userId,
      provider_id: 'credential',
      account_id: userId,
      password: passwordHash,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'account_id']).doUpdateSet({
        password: passwordHash,
        updated_at: new Date().toISOString(),
      }),
    )
    .execute()
}
