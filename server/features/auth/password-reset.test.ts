import type { Email } from 'postal-mime'
import { expect, test } from 'vitest'
import type { ErrorBody } from '#contract/errors.ts'
import { transaction } from '../../platform/db/database.ts'
import {
  createAuthenticator,
  runBeforeSessionInsert,
  testPassword,
  useAuthTestSite,
} from '../../testing/auth-test-app.ts'
import { setPassword } from './create-user.ts'
import { hashNewPassword } from './new-password.ts'

const site = useAuthTestSite()

const askForReset = (email: string, redirectTo?: string) =>
  site.send({ url: '/api/auth/request-password-reset', body: { email, redirectTo } })
const reset = (token: string, newPassword: string, app = site) =>
  app.send({ url: '/api/auth/reset-password', body: { token, newPassword } })
const me = async (cookie: string, app = site) =>
  (await app.send({ url: '/api/profile', cookie })).body

function linkIn(mail: Email): URL {
  return new URL(/https?:\/\/\S+/.exec(mail.text ?? '')?.[0] ?? '')
}

async function tokenFor(email: string): Promise<string> {
  await askForReset(email)
  return linkIn(await site.lastMailTo(email)).searchParams.get('token') ?? ''
}

test('a person resets a forgotten password with the emailed link and signs in', async () => {
  const email = 'reset@example.com'
  await site.addMember(email)
  const phone = await site.signIn(email)
  const laptop = await site.signIn(email)
  expect(await askForReset(email, '/')).toMatchObject({ status: 200, body: { status: true } })

  const mail = await site.lastMailTo(email)
  expect(mail.subject).toBe('Choose a new Velour password')
  expect(mail.from?.address).toBe('no-reply@velour.test')
  const link = linkIn(mail)
  expect(link.href.startsWith('http://127.0.0.1:3000/auth?')).toBe(true)
  expect(link.searchParams.get('next')).toBe('/')
  expect(mail.html).toContain(link.href.replaceAll('&', '&amp;'))

  const token = link.searchParams.get('token') ?? ''
  expect(await reset(token, 'a brand new password')).toMatchObject({
    status: 200,
    body: { status: true },
  })
  expect(await me(phone)).toEqual({ data: null })
  expect(await me(laptop)).toEqual({ data: null })
  await expect(site.signIn(email, testPassword)).rejects.toThrow('401')
  expect(await me(await site.signIn(email, 'a brand new password'))).toMatchObject({
    data: { email },
  })
})

test('the link in the email contains the page to return to, which must be on this site', async () => {
  const email = 'onward@example.com'
  await site.addMember(email)
  const next = '/browse?track=1&x=a:b#row'
  expect((await askForReset(email, next)).status).toBe(200)
  const link = linkIn(await site.lastMailTo(email))
  expect(link.pathname).toBe('/auth')
  expect(link.searchParams.get('next')).toBe(next)
  const hostile = ['//evil.example', 'https://evil.example', '/\\evil.example', '/auth?next=/x']
  for (const redirectTo of hostile) {
    expect(await askForReset(email, redirectTo)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_input' } },
    })
  }
})

test('a reset token works once, and is invalid after another password was set', async () => {
  const email = 'once@example.com'
  await site.addMember(email)
  const first = await tokenFor(email)
  const second = await tokenFor(email)
  expect(first).not.toBe(second)
  expect((await reset(second, 'the second password')).status).toBe(200)
  const invalid = { status: 400, body: { error: { code: 'reset_token_invalid' } } }
  expect(await reset(second, 'the third password')).toMatchObject(invalid)
  expect(await reset(first, 'the fourth password')).toMatchObject(invalid)
  await site.signIn(email, 'the second password')
})

test('two concurrent requests with one token reset the password once', async () => {
  const email = 'race@example.com'
  await site.addMember(email)
  const token = await tokenFor(email)
  const answers = await Promise.all(
    ['first password', 'other password'].map((p) => reset(token, p)),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
})

test('a sign-in with the old password during a reset leaves no valid session', async () => {
  const email = 'overtaken@example.com'
  const id = await site.addMember(email)
  const passwordHash = await hashNewPassword('a brand new password')
  const body = { email, password: testPassword }
  const { answer } = await runBeforeSessionInsert(
    site,
    () => site.send({ url: '/api/auth/sign-in/email', body }),
    (trx) => setPassword(trx, id, passwordHash),
  )
  expect(answer).toMatchObject({
    status: 401,
    body: { error: { code: 'invalid_credentials' } },
    cookies: [],
  })
  const sessions = site.db.query.selectFrom('sessions').select('id').where('user_id', '=', id)
  expect(await sessions.execute()).toEqual([])
  await site.signIn(email, 'a brand new password')
})

test('an authenticator code is refused if the password changed after it was entered, at sign-in and while enabling the second factor', async () => {
  const email = 'second-overtaken@example.com'
  const id = await site.addMember(email)
  const post = (path: string, body: object, cookie: string) =>
    site.send({ url: `/api/auth/two-factor/${path}`, body, cookie })
  const sessions = site.db.query.selectFrom('sessions').select('id').where('user_id', '=', id)
  let password = testPassword
  /** Enters a code, and sets a new password after the code is verified but before the session is inserted. */
  const enterCodeAfterChange = async (path: string, code: string, cookie: string) => {
    password += '!'
    const passwordHash = await hashNewPassword(password)
    const { answer } = await runBeforeSessionInsert(
      site,
      () => post(path, { code }, cookie),
      (trx) => setPassword(trx, id, passwordHash),
    )
    expect(await sessions.execute()).toEqual([])
    expect(answer).toMatchObject({ status: 401, cookies: [] })
    return (answer.body as ErrorBody).error.code
  }
  const { body } = await post('enable', { password }, await site.signIn(email))
  const { totpURI, backupCodes } = body as { totpURI: string; backupCodes: string[] }
  const codeNow = createAuthenticator(totpURI)
  const switchingOn = await site.signIn(email)
  expect(await enterCodeAfterChange('verify-totp', await codeNow(), switchingOn)).toBe(
    'unauthenticated',
  )

  // From here on, the second factor is enabled.
  const pending = () => site.signIn(email, password)
  expect(await enterCodeAfterChange('verify-totp', await codeNow(), await pending())).toBe(
    'two_factor_expired',
  )
  const [backupCode = ''] = backupCodes
  expect(await enterCodeAfterChange('verify-backup-code', backupCode, await pending())).toBe(
    'two_factor_expired',
  )
})

test('a reset token is valid for an hour', async () => {
  const email = 'late@example.com'
  const id = await site.addMember(email)
  const token = await tokenFor(email)
  const row = await site.db.query
    .selectFrom('verifications')
    .selectAll()
    .where('value', '=', id)
    .executeTakeFirstOrThrow()
  const minutes = (Date.parse(row.expires_at) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(59)
  expect(minutes).toBeLessThanOrEqual(60)
  // The token is stored as a hash, so that a copy of the database gives no access to accounts.
  expect(row.identifier).not.toContain(token)

  await site.db.query
    .updateTable('verifications')
    .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
    .where('id', '=', row.id)
    .execute()
  expect(await reset(token, 'a brand new password')).toMatchObject({
    body: { error: { code: 'reset_token_invalid' } },
  })
})

test('a password that is too short leaves the reset token usable', async () => {
  const email = 'short@example.com'
  await site.addMember(email)
  const token = await tokenFor(email)
  expect(await reset(token, 'short')).toMatchObject({
    body: { error: { code: 'password_too_short' } },
  })
  expect((await reset(token, 'long enough')).status).toBe(200)
})

test('invalid reset tokens are refused and count against a limit', async () => {
  const guess = (i: number) =>
    site.send({
      url: '/api/auth/reset-password',
      body: { token: `guess-${i}`, newPassword: 'a brand new password' },
      remoteAddress: '203.0.113.50',
    })
  const statuses: number[] = []
  for (let i = 0; i < 31; i++) statuses.push((await guess(i)).status)
  expect(statuses).toEqual([...Array<number>(30).fill(400), 429])
})

test('sends no email to an address without an account, and redirects only within the site', async () => {
  expect((await askForReset('stranger@example.com')).body).toEqual({ status: true })
  const receivers = (await site.mails()).map(({ to }) => to?.[0]?.address)
  expect(receivers).not.toContain('stranger@example.com')
  expect((await askForReset('reset@example.com', 'https://evil.example')).status).toBe(400)
})

test("the request's Host header never appears in an email", async () => {
  const email = 'host@example.com'
  await site.addMember(email)
  await site.send({
    url: '/api/auth/request-password-reset',
    body: { email },
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  })
  expect(linkIn(await site.lastMailTo(email)).host).toBe('127.0.0.1:3000')
})

test('after too many wrong passwords, a reset lets the new password work immediately', async () => {
  const email = 'locked@example.com'
  await site.addMember(email)
  for (let i = 0; i < 6; i++) await site.signIn(email, `wrong guess ${i}`).catch(() => undefined)
  await expect(site.signIn(email)).rejects.toThrow('429')
  expect((await reset(await tokenFor(email), 'a brand new password')).status).toBe(200)
  await site.signIn(email, 'a brand new password')
})

test('a password set by an admin also ends sessions and invalidates pending reset links', async () => {
  const email = 'managed@example.com'
  const id = await site.addMember(email)
  const cookie = await site.signIn(email)
  const token = await tokenFor(email)
  const passwordHash = await hashNewPassword('chosen by the admin')
  await transaction(site.db, (trx) => setPassword(trx, id, passwordHash))
  await expect.poll(() => me(cookie), { timeout: 2000, interval: 5 }).toEqual({ data: null })
  expect((await reset(token, 'chosen by a thief')).status).toBe(400)
  await site.signIn(email, 'chosen by the admin')
})

test('an admin can request the reset email for a member', async () => {
  const email = 'helped@example.com'
  await site.addMember(email)
  await site.auth.requestPasswordReset(email)
  expect(linkIn(await site.lastMailTo(email)).searchParams.get('next')).toBe('/auth')
  await site.auth.requestPasswordReset('nobody@example.com')
})
