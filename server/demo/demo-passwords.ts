// Whether anybody could still sign in with the demo's public password.
import { verifyPassword } from 'better-auth/crypto'
import { demoPassword } from '#contract/demo.ts'
import type { Database } from '../db/database.ts'

/** Addresses of demo accounts that open with the public password; those banned do not. */
export async function findOpenDemoAccounts(db: Database): Promise<string[]> {
  const accounts = await db.query
    .selectFrom('profiles as p')
    .innerJoin('accounts as a', 'a.user_id', 'p.id')
    .select(['p.email', 'a.password'])
    .where('p.is_demo', '=', true)
    .where('p.banned_at', 'is', null)
    .execute()
  const open: string[] = []
  for (const { email, password: hash } of accounts) {
    if (hash && (await verifyPassword({ hash, password: demoPassword }))) open.push(email)
  }
  return open
}
