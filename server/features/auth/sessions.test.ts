// Sessions on two instances that share one database. A session that ends on one instance also ends on the other.
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transaction } from '../../platform/db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createAuthTestApp, testPassword, type AuthTestApp } from '../../testing/auth-test-app.ts'
import { banAccount, unbanAccount } from './ban-account.ts'
import { setRole } from './create-user.ts'
import { endAllSessionsOf } from './sessions/session-operations.ts'

const dayMs = 24 * 3600 * 1000

let database: TestDatabase
let one: AuthTestApp
let two: AuthTestApp
let clockMs = Date.now()

beforeAll(async () => {
  database = await createTestDatabase()
  const now = () => new Date(clockMs)
  one = await createAuthTestApp({ ...database, now })
  two = await createAuthTestApp({ ...database, now })
})
afterAll(async () => {
  await one.close()
  await two.close()
  await database.drop()
})

const me = async (site: AuthTestApp, cookie: string) =>
  ((await site.send({ url: '/api/profile', cookie })).body as { data: unknown }).data

/** Creates a session that both instances have cached. */
async function makeCachedSession(email: string) {
  const id = await one.addMember(email)
  const cookie = await one.signIn(email)
  for (const site of [one, two]) expect(await me(site, cookie)).toMatchObject({ email })
  return { id, cookie }
}

/**
 * Long enough for a notification to arrive. A cached session cannot expire in this time, because the test clock is
 * stopped.
 */
const notificationWait = { timeout: 2000, interval: 2 }

describe('on all instances', () => {
  test('a ban ends every session immediately, and the next sign-in returns the ban only for the correct password', async () => {
    const { id, cookie } = await makeCachedSession('banned@example.com')
    const second = await two.signIn('banned@example.com')
    await transaction(one.db, (trx) => banAccount(trx, id, new Date()))
    for (const site of [one, two]) {
      await expect.poll(() => me(site, cookie), notificationWait).toBeNull()
      await expect.poll(() => me(site, second), notificationWait).toBeNull()
      const refused = await site.send({
        url: '/api/auth/sign-in/email',
        body: { email: 'banned@example.com', password: testPassword },
      })
      expect(refused).toMatchObject({
        status: 403,
        body: { error: { code: 'banned', message: 'This account has been banned.' } },
        cookies: [],
      })
      const guessed = await site.send({
        url: '/api/auth/sign-in/email',
        body: { email: 'banned@example.com', password: 'not the password' },
      })
      expect(guessed.status).toBe(401)
    }
    await transaction(one.db, (trx) => unbanAccount(trx, id, new Date()))
    expect(await me(two, cookie)).toBeNull()
    expect(await me(two, await one.signIn('banned@example.com'))).not.toBeNull()
  })

  test('a banned person has no access, even with a session inserted directly into the database', async () => {
    const { id, cookie } = await makeCachedSession('flagged@example.com')
    await one.db.query
      .updateTable('profiles')
      .set({ banned_at: new Date().toISOString() })
      .where('id', '=', id)
      .execute()
    for (const site of [one, two])
      await expect.poll(() => me(site, cookie), notificationWait).toBeNull()
  })

  test('signing out on one instance signs out on the other', async () => {
    const { cookie } = await makeCachedSession('leaver@example.com')
    await one.send({ url: '/api/auth/sign-out', body: {}, cookie })
    expect(await me(one, cookie)).toBeNull()
    await expect.poll(() => me(two, cookie), notificationWait).toBeNull()
  })

  test('a changed role or plan takes effect immediately', async () => {
    const { id, cookie } = await makeCachedSession('promoted@example.com')
    await transaction(one.db, (trx) => setRole(trx, id, 'admin'))
    await expect.poll(() => me(two, cookie), notificationWait).toMatchObject({ role: 'admin' })
    await one.db.query
      .updateTable('profiles')
      .set({ subscription_status: 'active', subscription_tier: 'monthly' })
      .where('id', '=', id)
      .execute()
    await expect
      .poll(() => me(two, cookie), notificationWait)
      .toMatchObject({ is_premium: true, role: 'admin' })
  })

  test('deleting a person ends their sessions', async () => {
    const { id, cookie } = await makeCachedSession('deleted@example.com')
    await one.db.query.deleteFrom('profiles').where('id', '=', id).execute()
    await expect.poll(() => me(two, cookie), notificationWait).toBeNull()
  })

  test('a rolled-back change does not affect any session', async () => {
    const { id, cookie } = await makeCachedSession('kept@example.com')
    const undone = transaction(one.db, async (trx) => {
      await endAllSessionsOf(trx, id)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await me(two, cookie)).not.toBeNull()
  })
})

describe('a member’s own sessions', () => {
  test('can be listed, and ended one by one or all together', async () => {
    const email = 'devices@example.com'
    const { cookie } = await makeCachedSession(email)
    const phone = await two.signIn(email)
    const stranger = await makeCachedSession('stranger@example.com')
    const list = async (site: AuthTestApp, sent: string) =>
      ((await site.send({ url: '/api/sessions', cookie: sent })).body as { data: { id: string }[] })
        .data

    const mine = await list(one, cookie)
    expect(mine).toMatchObject([
      { is_current: false },
      { is_current: true, ip_address: '127.0.0.1' },
    ])
    const [theirs] = await list(one, stranger.cookie)
    const end = (id: string, sent: string) =>
      one.send({ method: 'DELETE', url: `/api/sessions/${id}`, cookie: sent })
    expect((await end(theirs?.id ?? '', cookie)).status).toBe(404)
    expect((await end(mine[0]?.id ?? '', cookie)).status).toBe(204)
    await expect.poll(() => me(two, phone), notificationWait).toBeNull()
    expect(await me(one, cookie)).not.toBeNull()

    const third = await two.signIn(email)
    expect((await one.send({ method: 'DELETE', url: '/api/sessions', cookie })).status).toBe(204)
    expect(await me(one, cookie)).toBeNull()
    for (const sent of [cookie, third])
      await expect.poll(() => me(two, sent), notificationWait).toBeNull()
    expect(await me(two, stranger.cookie)).not.toBeNull()
    expect((await one.send({ url: '/api/sessions', cookie })).status).toBe(401)
  })
})

describe('session expiry', () => {
  const readExpiry = async (email: string) =>
    one.db.query
      .selectFrom('sessions')
      .innerJoin('profiles', 'profiles.id', 'sessions.user_id')
      .select(['sessions.expires_at', 'token'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow()

  test('renews a session and its cookie once a day while in use; an unused session ends after 30 days', async () => {
    const email = 'regular@example.com'
    const { cookie } = await makeCachedSession(email)
    const start = clockMs
    const before = await readExpiry(email)
    try {
      clockMs = start + 0.9 * dayMs
      const early = await one.send({ url: '/api/profile', cookie })
      expect(early.cookies).toEqual([])

      clockMs = start + 1.1 * dayMs
      const [first, second] = await Promise.all([
        one.send({ url: '/api/profile', cookie }),
        two.send({ url: '/api/profile', cookie }),
      ])
      const renewals = [...first.cookies, ...second.cookies]
      expect(renewals).toHaveLength(1)
      expect(renewals[0]?.text).toBe(`${cookie}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`)
      const after = await readExpiry(email)
      expect(after.token).toBe(before.token)
      expect(Date.parse(after.expires_at)).toBe(clockMs + 30 * dayMs)
      expect((await one.send({ url: '/api/profile', cookie })).cookies).toEqual([])

      clockMs = start + 30.5 * dayMs
      expect(await me(two, cookie)).not.toBeNull()
      clockMs += 30 * dayMs
      for (const site of [one, two]) expect(await me(site, cookie)).toBeNull()
    } finally {
      clockMs = start
    }
  })

  test('a publicly cacheable response sets no cookie', async () => {
    const { cookie } = await makeCachedSession('cached@example.com')
    const later = new Date(clockMs + 2 * dayMs)
    const three = await createAuthTestApp({ ...database, now: () => later })
    three.app.get('/for-everybody', async (request, reply) => {
      await three.auth.findActor(request)
      return reply.header('cache-control', 'public, max-age=60').send('the same for all')
    })
    try {
      expect(await three.send({ url: '/for-everybody', cookie })).toMatchObject({ cookies: [] })
      expect((await three.send({ url: '/api/profile', cookie })).cookies).toHaveLength(1)
    } finally {
      await three.close()
    }
  })

  test('a cached session is used for at most 10 seconds', async () => {
    const { id, cookie } = await makeCachedSession('unheard@example.com')
    // Disable the trigger, so that the change sends no notification.
    const trigger = (what: string) =>
      database.asOwner(`alter table profiles ${what} trigger profiles_changed`)
    await trigger('disable')
    await one.db.query
      .updateTable('profiles')
      .set({ display_name: 'Renamed' })
      .where('id', '=', id)
      .execute()
    await trigger('enable')
    const start = clockMs
    try {
      clockMs = start + 9_999
      expect(await me(one, cookie)).toMatchObject({ display_name: '' })
      clockMs = start + 10_000
      expect(await me(one, cookie)).toMatchObject({ display_name: 'Renamed' })
    } finally {
      clockMs = start
    }
  })

  test('an instance that lost its event connection does not use sessions cached before', async () => {
    const { id, cookie } = await makeCachedSession('cut-off@example.com')
    const absent = await makeCachedSession('absent@example.com')
    const url = new URL(database.ownerConnectionString)
    const name = pg.escapeIdentifier(url.pathname.slice(1))
    url.pathname = '/postgres'
    // Run this from another database, because a session cannot disallow connections to its own database.
    const outside = new pg.Client(url.href)
    await outside.connect()
    const allowConnections = (allow: boolean) =>
      outside.query(`alter database ${name} with allow_connections ${allow}`)
    await allowConnections(false)
    try {
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'velour-listener'`.execute(
        one.db.query,
      )
      await transaction(one.db, async (trx) => {
        await endAllSessionsOf(trx, id)
        await endAllSessionsOf(trx, absent.id)
      })
      for (const site of [one, two]) {
        await expect.poll(() => me(site, cookie), notificationWait).toBeNull()
      }
    } finally {
      await allowConnections(true)
      await outside.end()
    }
    const listening = async () =>
      (
        await sql`
          select from pg_stat_activity
           where datname = current_database() and application_name = 'velour-listener'`.execute(
          one.db.query,
        )
      ).rows.length
    await expect.poll(listening, { timeout: 10_000, interval: 10 }).toBe(2)
    for (const site of [one, two]) expect(await me(site, absent.cookie)).toBeNull()
  })
})
