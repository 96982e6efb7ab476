// Someone who signs up with another person's address cannot lock out the address's owner with a second factor.
import { expect, test } from 'vitest'
import {
  createAuthenticator,
  toCookieHeader,
  testPassword,
  useAuthTestSite,
} from '../../testing/auth-test-app.ts'

const site = useAuthTestSite()
const on = 'Two-factor sign-in was switched on for your Velour account'
const off = 'Two-factor sign-in was switched off for your Velour account'

async function signUp(email: string): Promise<string> {
  const body = { email, password: testPassword }
  expect((await site.send({ url: '/api/auth/sign-up/email', body })).status).toBe(200)
  return site.signIn(email)
}
const twoFactor = (path: string, body: object, cookie: string) =>
  site.send({ url: `/api/auth/two-factor/${path}`, body, cookie })
const enable = (cookie: string) => twoFactor('enable', { password: testPassword }, cookie)
const askForLink = (cookie: string) =>
  site.send({
    url: '/api/auth/send-verification-email',
    body: { redirectTo: '/profile' },
    cookie,
  })
async function resetByMail(email: string, newPassword: string): Promise<void> {
  await site.send({ url: '/api/auth/request-password-reset', body: { email } })
  const body = { token: await site.mailedToken(email), newPassword }
  expect((await site.send({ url: '/api/auth/reset-password', body })).status).toBe(200)
}
const readProfile = (email: string) =>
  site.db.query
    .selectFrom('profiles')
    .select(['id', 'email_verified', 'two_factor_enabled'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()

/** Creates an account with an unconfirmed address and a second factor. Earlier versions allowed this. */
async function enrolUnconfirmed(email: string): Promise<void> {
  const cookie = await signUp(email)
  const setVerified = (email_verified: boolean) =>
    site.db.query
      .updateTable('profiles')
      .set({ email_verified })
      .where('email', '=', email)
      .execute()
  await setVerified(true)
  const { totpURI } = (await enable(cookie)).body as { totpURI: string }
  const code = await createAuthenticator(totpURI)()
  expect((await twoFactor('verify-totp', { code }, cookie)).status).toBe(200)
  await setVerified(false)
}

test('refuses both steps of enabling a second factor while the address is unconfirmed', async () => {
  const email = 'squatted@example.com'
  const cookie = await signUp(email)
  const refusal = { status: 409, body: { error: { code: 'two_factor_needs_email' } } }
  expect(await enable(cookie)).toMatchObject(refusal)
  expect(await twoFactor('verify-totp', { code: '123456' }, cookie)).toMatchObject(refusal)
  const { id } = await readProfile(email)
  const rows = site.db.query.selectFrom('two_factors').select('id').where('user_id', '=', id)
  expect(await rows.execute()).toEqual([])

  // The owner of the address takes over the account by resetting the password.
  await resetByMail(email, 'a password of the owner')
  await site.signIn(email, 'a password of the owner')
  expect(await readProfile(email)).toMatchObject({ email_verified: true })
})

test('a member gets a link that confirms the address, and can then enable the second factor', async () => {
  const email = 'honest@example.com'
  const cookie = await signUp(email)
  expect(await askForLink(cookie)).toMatchObject({ status: 200, body: { status: true } })
  const link = new URL(/http:\/\/\S+/.exec((await site.lastMailTo(email)).text ?? '')?.[0] ?? '')
  const opened = await site.send({ url: link.pathname + link.search, cookie })
  expect(opened.headers.location).toBe('/auth?confirmed=true&next=%2Fprofile')
  await expect
    .poll(async () => (await site.send({ url: '/api/profile', cookie })).body, { interval: 5 })
    .toMatchObject({ data: { email_verified: true } })
  expect((await enable(cookie)).status).toBe(200)
  expect(await askForLink(cookie)).toMatchObject({
    status: 409,
    body: { error: { code: 'email_already_confirmed' } },
  })
})

test('links to confirm an address are sent only to members, at most three times an hour', async () => {
  expect((await askForLink('')).status).toBe(401)
  const cookie = await signUp('impatient@example.com')
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) statuses.push((await askForLink(cookie)).status)
  expect(statuses).toEqual([200, 200, 200, 429])
})

test('a password reset confirms an unconfirmed address and removes the second factor set up before', async () => {
  const email = 'locked-out@example.com'
  await enrolUnconfirmed(email)
  const begun = await site.send({
    url: '/api/auth/sign-in/email',
    body: { email, password: testPassword },
  })
  expect(begun.body).toEqual({ twoFactorRedirect: true })

  await resetByMail(email, 'a password of the owner')
  const { id, ...profile } = await readProfile(email)
  expect(profile).toEqual({ email_verified: true, two_factor_enabled: false })
  const cookie = await site.signIn(email, 'a password of the owner')
  expect((await site.send({ url: '/api/profile', cookie })).body).toMatchObject({ data: { email } })
  expect((await site.subjectsTo(email)).at(-1)).toBe(off)
  expect((await site.lastMailTo(email)).text).toContain('before this address was confirmed')
  const entry = await site.db.query
    .selectFrom('audit_log')
    .select('after')
    .where('entity_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(entry).toEqual({ after: { password: 'changed', two_factor: 'off' } })

  // A sign-in that started with the old password cannot be completed.
  const code = { code: '123456' }
  const late = await twoFactor('verify-totp', code, toCookieHeader(begun.cookies))
  expect(late.status).toBe(401)
})

test('a password reset keeps the second factor of a confirmed address', async () => {
  const email = 'confirmed@example.com'
  await site.addMember(email)
  const cookie = await site.signIn(email)
  const { totpURI } = (await enable(cookie)).body as { totpURI: string }
  const code = await createAuthenticator(totpURI)()
  expect((await twoFactor('verify-totp', { code }, cookie)).status).toBe(200)
  await resetByMail(email, 'another password of mine')
  expect(await readProfile(email)).toMatchObject({ email_verified: true, two_factor_enabled: true })
  expect(await site.subjectsTo(email)).toContain(on)
  expect(await site.subjectsTo(email)).not.toContain(off)
})
