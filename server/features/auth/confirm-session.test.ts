import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getPerson } from '#contract/admin/admin-people.ts'
import { deleteUser } from '#contract/admin/admin-users.ts'
import { enableTwoFactor, verifyTotp } from '#contract/auth.ts'
import { checkConfirmation, confirmSession } from '#contract/sessions.ts'
import { backdateConfirmation } from '../../testing/session-age.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { createAuthenticator, testPassword } from '../../testing/auth-test-app.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  admin = await app.makePerson({ role: 'admin' })
  await backdateConfirmation(app, admin.id, 10)
})

const confirm = (who: Pick<Person, 'call'>, body: { password: string } | { code: string }) =>
  who.call(confirmSession, { body })
const check = async (who: Pick<Person, 'call'>) => (await who.call(checkConfirmation, {})).code

test('refuses to delete an account 10 minutes after the sign-in until the password is entered again', async () => {
  const { id } = await app.makePerson()
  const remove = () => admin.call(deleteUser, { params: { id } })
  const isThere = async () => (await admin.call(getPerson, { params: { id } })).status === 200
  expect(await remove()).toMatchObject({ status: 403, code: 'reauthentication_required' })
  expect(await isThere()).toBe(true)

  const wrong = await confirm(admin, { password: 'not the password' })
  expect(wrong).toMatchObject({ status: 403, code: 'password_wrong' })
  expect((await remove()).code).toBe('reauthentication_required')
  expect(await isThere()).toBe(true)

  expect((await confirm(admin, { password: testPassword })).status).toBe(200)
  expect((await remove()).status).toBe(204)
  expect(await isThere()).toBe(false)
})

test('a confirmation is valid for 10 minutes and only in the session that made it', async () => {
  const other = await app.signIn(admin.email)
  await backdateConfirmation(app, admin.id, 10)
  await confirm(admin, { password: testPassword })
  expect(await check(admin)).toBeUndefined()
  expect(await check(other)).toBe('reauthentication_required')
  await backdateConfirmation(app, admin.id, 9)
  expect(await check(admin)).toBeUndefined()
  await backdateConfirmation(app, admin.id, 10)
  expect(await check(admin)).toBe('reauthentication_required')
})

test('a sign-in counts as a confirmation of the session', async () => {
  expect(await check(await app.signIn(admin.email))).toBeUndefined()
})

test('an authenticator code confirms once, and is refused if the second factor is off', async () => {
  expect((await confirm(admin, { code: '123456' })).code).toBe('two_factor_off')
  const { body } = await admin.call(enableTwoFactor, { body: { password: testPassword } })
  const codeNow = createAuthenticator(body.totpURI)
  // A second factor whose setup is unfinished does not count, and a code sent to confirm does not complete the setup.
  expect((await confirm(admin, { code: await codeNow() })).code).toBe('two_factor_off')
  const verified = await admin.call(verifyTotp, { body: { code: await codeNow() } })
  const session = app.as(verified.headers.getSetCookie()[0]?.split(';')[0] ?? '')

  await backdateConfirmation(app, admin.id, 10)
  expect(await confirm(session, { code: '000000' })).toMatchObject({
    status: 401,
    code: 'two_factor_invalid',
  })
  const code = await codeNow()
  const typed = `${code.slice(0, 3)} ${code.slice(3)}`
  expect((await confirm(session, { code: typed })).status).toBe(200)
  expect((await confirm(session, { code })).code).toBe('two_factor_invalid')
  expect((await confirm(session, { password: testPassword })).status).toBe(200)
})

test('wrong passwords and codes count against the sign-in limits', async () => {
  for (let count = 0; count < 5; count++) {
    expect((await confirm(admin, { password: 'not the password' })).code).toBe('password_wrong')
  }
  expect((await confirm(admin, { password: testPassword })).code).toBe('rate_limited')
  expect((await confirm(admin, { code: '000000' })).code).toBe('rate_limited')
  await expect(app.signIn(admin.email)).rejects.toThrow('429')
  expect(await check(admin)).toBe('reauthentication_required')
})

test('requires a session; only admins can read whether their session is confirmed', async () => {
  expect((await confirm(app.nobody, { password: testPassword })).code).toBe('unauthenticated')
  const member = await app.makePerson()
  expect((await confirm(member, { password: testPassword })).status).toBe(200)
  expect(await check(member)).toBe('forbidden')
})
