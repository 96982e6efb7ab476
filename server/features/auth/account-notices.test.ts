// Emails to an account's owner about changes, and the matching audit entries.
import { expect, test } from 'vitest'
import { transaction } from '../../platform/db/database.ts'
import { createAuthenticator, testPassword, useAuthTestSite } from '../../testing/auth-test-app.ts'
import { setRole } from './create-user.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const newerFirefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'

const site = useAuthTestSite()

async function signInWith(email: string, userAgent: string, password = testPassword) {
  const response = await site.send({
    url: '/api/auth/sign-in/email',
    body: { email, password },
    headers: { 'user-agent': userAgent },
  })
  expect(response.status).toBe(200)
  return response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

const readAuditEntries = (id: string) =>
  site.db.query
    .selectFrom('audit_log')
    .select(['action', 'entity', 'actor_id', 'after', 'ip_address'])
    .where('entity_id', '=', id)
    .orderBy('id')
    .execute()

test('emails the owner once after a sign-in with an unknown browser', async () => {
  const email = 'devices@example.com'
  await site.addMember(email)
  await signInWith(email, firefox)
  await signInWith(email, newerFirefox)
  expect(await site.subjectsTo(email)).toEqual([])
  await signInWith(email, iphone)
  await signInWith(email, iphone)
  await signInWith(email, firefox)
  expect(await site.subjectsTo(email)).toEqual(['New sign-in to your Velour account'])
  const mail = await site.lastMailTo(email)
  expect(mail.text).toMatch(/Safari on iPhone, from the address 127\.0\.0\.1, on \d{4}-\d\d-\d\d/)
})

test('sends no email for a sign-in with a known browser after signing out everywhere', async () => {
  const email = 'again@example.com'
  const id = await site.addMember(email)
  await signInWith(email, firefox)
  await signInWith(email, iphone)
  await site.db.query.deleteFrom('sessions').where('user_id', '=', id).execute()
  await signInWith(email, firefox)
  await signInWith(email, iphone)
  expect(await site.subjectsTo(email)).toHaveLength(1)
})

test('writes an audit entry for an admin’s sign-in, but not for a failed sign-in or a member’s', async () => {
  const id = await site.addMember('chief@example.com')
  await transaction(site.db, (trx) => setRole(trx, id, 'admin'))
  const body = { email: 'chief@example.com', password: 'a wrong password' }
  await site.send({ url: '/api/auth/sign-in/email', body })
  expect(await readAuditEntries(id)).toEqual([])
  await signInWith('chief@example.com', firefox)
  expect(await readAuditEntries(id)).toEqual([
    {
      action: 'sign_in',
      entity: 'user',
      actor_id: id,
      after: { device: 'Firefox on Linux' },
      ip_address: '127.0.0.1',
    },
  ])
  const member = await site.addMember('plain@example.com')
  await signInWith('plain@example.com', firefox)
  expect(await readAuditEntries(member)).toEqual([])
})

test('emails the owner and writes an audit entry after a new password is set', async () => {
  const email = 'changed@example.com'
  const id = await site.addMember(email)
  await site.send({ url: '/api/auth/request-password-reset', body: { email } })
  const body = { token: await site.mailedToken(email), newPassword: 'a brand new password' }
  expect((await site.send({ url: '/api/auth/reset-password', body })).status).toBe(200)
  expect((await site.subjectsTo(email)).at(-1)).toBe('Your Velour password was changed')
  expect(await readAuditEntries(id)).toMatchObject([
    { action: 'update', entity: 'user', actor_id: id, after: { password: 'changed' } },
  ])
})

test('emails the owner when an admin removes the second factor', async () => {
  await site.auth.mailTwoFactorRemoved('helped@example.com')
  const mail = await site.lastMailTo('helped@example.com')
  expect(mail.subject).toBe('Two-factor sign-in was switched off for your Velour account')
  expect(mail.text).toContain('An admin switched it off.')
})

test('emails the owner and writes an audit entry when the second factor is enabled or disabled, and audits an admin’s sign-in once the code is entered', async () => {
  const email = 'factor@example.com'
  const id = await site.addMember(email)
  await transaction(site.db, (trx) => setRole(trx, id, 'admin'))
  const password = testPassword
  const post = (path: string, payload: object, cookie: string) =>
    site.send({
      url: `/api/auth/two-factor/${path}`,
      body: payload,
      cookie,
      headers: { 'user-agent': firefox },
    })
  const cookie = await signInWith(email, firefox)
  const enabled = await post('enable', { password }, cookie)
  const { totpURI, backupCodes } = enabled.body as { totpURI: string; backupCodes: string[] }
  const code = await createAuthenticator(totpURI)()
  expect(await site.subjectsTo(email)).toEqual([])
  expect((await post('verify-totp', { code }, cookie)).status).toBe(200)
  const on = 'Two-factor sign-in was switched on for your Velour account'
  expect(await site.subjectsTo(email)).toEqual([on])

  const signIns = async () =>
    (await readAuditEntries(id)).filter(({ action }) => action === 'sign_in').length
  expect(await signIns()).toBe(1)
  const pending = await signInWith(email, firefox)
  expect(await signIns()).toBe(1)
  const whole = await post('verify-backup-code', { code: backupCodes[0] }, pending)
  expect([whole.status, await signIns()]).toEqual([200, 2])

  const session = whole.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  expect((await post('disable', { password }, session)).status).toBe(200)
  const off = 'Two-factor sign-in was switched off for your Velour account'
  expect(await site.subjectsTo(email)).toEqual([on, off])
  const changes = (await readAuditEntries(id)).filter(({ action }) => action === 'update')
  expect(changes.map(({ after }) => after)).toEqual([{ two_factor: 'on' }, { two_factor: 'off' }])
})
