// Admin sessions end 12 hours after the sign-in. Member sessions continue.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listUsers } from '#contract/admin/admin-users.ts'
import { getSession } from '#contract/auth.ts'
import { getProfile } from '#contract/profiles.ts'
import { listSessions } from '#contract/sessions.ts'
import { transaction } from '../../platform/db/database.ts'
import { readDatabaseTime } from '../../platform/db/database-time.ts'
import { backdateSignIn } from '../../testing/session-age.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { testPassword } from '../../testing/auth-test-app.ts'
import { setRole } from './create-user.ts'
import { deleteExpiredSessions } from './sessions/session-operations.ts'

const limitMinutes = 12 * 60

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const countSessions = async ({ id }: Person) =>
  (
    await app.services.db.query
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', id)
      .execute()
  ).length
const me = async ({ call }: Pick<Person, 'call'>) => (await call(getProfile, {})).body.data

test('signs an admin out 12 hours after the sign-in and deletes the cookie', async () => {
  const admin = await app.makePerson({ role: 'admin' })
  await backdateSignIn(app, admin.id, limitMinutes - 1)
  expect((await admin.call(listUsers, {})).status).toBe(200)
  await backdateSignIn(app, admin.id, limitMinutes)
  const refused = await admin.call(listUsers, {})
  expect(refused).toMatchObject({ status: 401, code: 'unauthenticated' })
  expect(refused.headers.getSetCookie()).toEqual([
    'velour.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
  ])
  expect(await countSessions(admin)).toBe(0)
})

test.each([
  [getSession.path, null],
  [getProfile.path, { data: null }],
])(
  '%s also ends a session that an admin started more than 12 hours ago',
  async (path, signedOut) => {
    const admin = await app.makePerson({ role: 'admin' })
    await backdateSignIn(app, admin.id, limitMinutes)
    expect((await admin.send('GET', path)).body).toEqual(signedOut)
    expect(await countSessions(admin)).toBe(0)
  },
)

test('requests in an admin session do not extend it', async () => {
  const admin = await app.makePerson({ role: 'admin' })
  const later = new Date(Date.now() + 40 * 24 * 3600_000).toISOString()
  await app.services.db.query
    .updateTable('sessions')
    .set({ expires_at: later, updated_at: new Date().toISOString() })
    .where('user_id', '=', admin.id)
    .execute()
  await backdateSignIn(app, admin.id, limitMinutes)
  expect(await me(admin)).toBeNull()
})

test("a member's session of that age stays valid until the member becomes an admin", async () => {
  const member = await app.makePerson()
  await backdateSignIn(app, member.id, limitMinutes)
  expect(await me(member)).toMatchObject({ email: member.email })
  await transaction(app.services.db, (trx) => setRole(trx, member.id, 'admin'))
  await expect.poll(() => me(member)).toBeNull()
  expect(await me(await app.signIn(member.email))).toMatchObject({ role: 'admin' })
})

test('signing in with the cookie of an expired session sets a new cookie', async () => {
  const admin = await app.makePerson({ role: 'admin' })
  await backdateSignIn(app, admin.id, limitMinutes)
  const response = await admin.send('POST', '/api/auth/sign-in/email', {
    body: { email: admin.email, password: testPassword },
  })
  expect(response.status).toBe(200)
  const set = response.headers.getSetCookie().filter((text) => /session_token=/.test(text))
  expect(set).toHaveLength(1)
  expect(set[0]).not.toContain('session_token=;')
})

test('lists an admin session with its end time, hides it after that time, and then deletes it', async () => {
  const admin = await app.makePerson({ role: 'admin' })
  await backdateSignIn(app, admin.id, limitMinutes)
  const fresh = await app.signIn(admin.email)
  const { data } = (await fresh.call(listSessions, {})).body
  expect(data).toHaveLength(1)
  const { created_at, expires_at } = data[0]!
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(limitMinutes * 60_000)

  const member = await app.makePerson()
  await backdateSignIn(app, member.id, limitMinutes)
  expect(await countSessions(admin)).toBe(2)
  const { db } = app.services
  await deleteExpiredSessions(db, await readDatabaseTime(db))
  expect([await countSessions(admin), await countSessions(member)]).toEqual([1, 1])
})
