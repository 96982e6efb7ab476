// Simulates a crash in the middle of a sign-up: the connection ends between the two inserts.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transaction } from '../../platform/db/database.ts'
import { testPassword, useAuthTestSite } from '../../testing/auth-test-app.ts'

const site = useAuthTestSite()

test('a sign-up that is killed between its inserts leaves no account, and the address can sign up again', async () => {
  const email = 'half@example.com'
  const signUp = () =>
    site.send({ url: '/api/auth/sign-up/email', body: { email, password: testPassword } })

  const interrupted = await transaction(site.database.db, async (trx) => {
    // Lets the sign-up insert the profile, and blocks its insert of the account.
    await sql`lock table accounts in share mode`.execute(trx.query)
    const response = signUp()
    const pid = await waitForBlocked()
    await sql`select pg_terminate_backend(${pid})`.execute(trx.query)
    return response
  })
  expect(interrupted.status).toBeGreaterThanOrEqual(500)
  const profiles = await site.database.db.query
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', email)
    .execute()
  expect(profiles).toEqual([])

  expect((await signUp()).status).toBe(200)
  await site.signIn(email)
})

async function waitForBlocked(): Promise<number> {
  let found: number | undefined
  await expect
    .poll(
      async () => {
        const { rows } = await sql<{ pid: number }>`
          select pid from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'
             and query ilike 'insert into "accounts"%'`.execute(site.database.db.query)
        found = rows[0]?.pid
        return rows.length
      },
      { timeout: 5000, interval: 10 },
    )
    .toBe(1)
  return found ?? 0
}
