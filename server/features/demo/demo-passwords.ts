// Finds accounts for which the demo's public password still works, and closes them.
import { randomBytes } from 'node:crypto'
import { verifyPassword } from 'better-auth/crypto'
import { demoPassword } from '#contract/demo.ts'
import { setPassword, setRole } from '../auth/create-user.ts'
import { hashNewPassword } from '../auth/new-password.ts'
import type { Database, Handle, Transaction } from '../../platform/db/database.ts'

interface OpenAccount {
  id: string
  email: string
  /** False for a person's own account that has the same password as the demo. */
  is_demo: boolean
}

/**
 * Accounts with the demo's public password, among demo accounts and accounts with more rights than a member. Members
 * are not checked: verifying a hash takes tens of milliseconds, so the start would take minutes. The sign-in refuses
 * that password anyway.
 */
export async function findOpenDemoAccounts(db: Database): Promise<OpenAccount[]> {
  const accounts = await db.query
    .selectFrom('profiles as p')
    .innerJoin('accounts as a', 'a.user_id', 'p.id')
    .innerJoin('user_roles as r', 'r.user_id', 'p.id')
    .select(['p.id', 'p.email', 'p.is_demo', 'a.password'])
    .where((eb) => eb.or([eb('p.is_demo', '=', true), eb('r.role', '!=', 'member')]))
    .where('p.banned_at', 'is', null)
    .orderBy('p.email')
    .execute()
  const open: OpenAccount[] = []
  for (const { password: hash, ...account } of accounts) {
    if (hash && (await verifyPassword({ hash, password: demoPassword }))) open.push(account)
  }
  return open
}

type ClosingAccount = OpenAccount & { passwordHash: string }

/**
 * Hashes a new random password for each open account. Slow, so call it before the transaction of `closeDemoAccounts`.
 */
export async function prepareClosing(db: Database): Promise<ClosingAccount[]> {
  const closing: ClosingAccount[] = []
  for (const account of await findOpenDemoAccounts(db)) {
    const passwordHash = await hashNewPassword(randomBytes(32).toString('base64url'))
    closing.push({ ...account, passwordHash })
  }
  return closing
}

/**
 * Sets random passwords, which ends the accounts' sessions and revokes their keys. Demo accounts become members: an
 * admin account that nobody can sign in to would prevent the setup of the first real admin. Returns the email
 * addresses.
 */
export async function closeDemoAccounts(
  trx: Transaction,
  closing: readonly ClosingAccount[],
): Promise<string[]> {
  for (const { id, is_demo, passwordHash } of closing) {
    await setPassword(trx, id, passwordHash)
    if (is_demo) await setRole(trx, id, 'member')
  }
  return closing.map(({ email }) => email)
}

/** Email addresses of admins that are neither demo accounts nor banned. */
export async function findOwnAdmins(handle: Handle): Promise<string[]> {
  const admins = await handle.query
    .selectFrom('profiles as p')
    .innerJoin('user_roles as r', 'r.user_id', 'p.id')
    .select('p.email')
    .where('r.role', '=', 'admin')
    .where('p.is_demo', '=', false)
    .where('p.banned_at', 'is', null)
    .orderBy('p.email')
    .execute()
  return admins.map(({ email }) => email)
}
