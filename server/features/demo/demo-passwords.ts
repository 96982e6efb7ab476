// Checks whether the demo's public password still works for any account.
import { randomBytes } from 'node:crypto'
import { verifyPassword } from 'better-auth/crypto'
import { demoPassword } from '#contract/demo.ts'
import { setPassword } from '../auth/create-user.ts'
import { hashNewPassword } from '../auth/new-password.ts'
import { transaction, type Database } from '../../platform/db/database.ts'

interface OpenAccount {
  id: string
  email: string
}

/**
 * Accounts with the public password, among demo accounts and everybody with more rights than a member. Members are not
 * checked: verifying a hash takes tens of milliseconds, so a start would take minutes. Sign-in refuses that password
 * anyway.
 */
export async function findOpenDemoAccounts(db: Database): Promise<OpenAccount[]> {
  const accounts = await db.query
    .selectFrom('profiles as p')
    .innerJoin('accounts as a', 'a.user_id', 'p.id')
    .innerJoin('user_roles as r', 'r.user_id', 'p.id')
    .select(['p.id', 'p.email', 'a.password'])
    .where((eb) => eb.or([eb('p.is_demo', '=', true), eb('r.role', '!=', 'member')]))
    .where('p.banned_at', 'is', null)
    .orderBy('p.email')
    .execute()
  const open: OpenAccount[] = []
  for (const { id, email, password: hash } of accounts) {
    if (hash && (await verifyPassword({ hash, password: demoPassword }))) open.push({ id, email })
  }
  return open
}

/** Sets random passwords, which ends their sessions. Returns their addresses. */
export async function closeDemoAccounts(db: Database): Promise<string[]> {
  const open = await findOpenDemoAccounts(db)
  for (const { id } of open) {
    const passwordHash = await hashNewPassword(randomBytes(32).toString('base64url'))
    await transaction(db, (trx) => setPassword(trx, id, passwordHash))
  }
  return open.map(({ email }) => email)
}

/** Addresses of admins that are not demo accounts, whose password somebody may know. */
export async function findOwnAdmins(db: Database): Promise<string[]> {
  const admins = await db.query
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
