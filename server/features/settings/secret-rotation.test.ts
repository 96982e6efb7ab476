// Changing the SECRET of an installation in the steps of SECURITY.md: nobody is signed out, no encrypted data is lost,
// and afterwards the old SECRET decrypts nothing.
import { createOTP } from '@better-auth/utils/otp'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import { enableTwoFactor, verifyBackupCode, verifyTotp } from '#contract/auth.ts'
import { listSessions } from '#contract/sessions.ts'
import { sealedColumns } from './reseal.ts'
import { resolveStripeKey } from './stripe-connection.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

const [first, second] = ['first-secret', 'second-secret'].map((word) => word.padEnd(40, '.'))
const password = 'correct horse battery'
const webhookSecret = 'whsec_rotated_9876'
const stripeKey = 'sk_test_rotated4711'

let before: TestApp
const running: TestApp[] = []
let admin: Person
let member: Person
let cookie = ''
let codeNow: () => Promise<string>
let backupCodes: string[]

/** Starts the same installation with another SECRET. */
async function startWith(
  secret: string,
  previousSecret: string | null,
  acceptNewSecret = false,
): Promise<TestApp> {
  const { databaseUrl, databaseOwnerUrl, dataDir } = before.services.config
  const place = { databaseUrl, databaseOwnerUrl, dataDir }
  const app = await createTestApp({ ...place, secret, previousSecret, acceptNewSecret })
  running.push(app)
  return app
}

beforeAll(async () => {
  before = await createTestApp({ secret: first! })
  admin = await before.makePerson({ role: 'admin' })
  const { body: settings } = await admin.call(getSettings, {})
  const { updated_at: _, ...plain } = settings
  await admin.call(updateSettings, {
    body: { action: 'update', settings: { ...plain, stripe_webhook_secret: webhookSecret } },
  })
  const row = { key_sealed: before.services.secretBox.seal(stripeKey), key_last4: '4711' }
  await before.services.db.query.updateTable('stripe_connection').set(row).execute()
  member = await before.makePerson()
  const { body } = await member.call(enableTwoFactor, { body: { password } })
  backupCodes = body.backupCodes
  codeNow = () => createOTP(decodeSecret(body.totpURI), { period: 30, digits: 6 }).totp()
  const verified = await member.call(verifyTotp, { body: { code: await codeNow() } })
  cookie = verified.headers.getSetCookie()[0]?.split(';')[0] ?? member.cookie
})
afterAll(async () => {
  for (const app of running.toReversed()) await app.close()
  await before.close()
})

test('the list of columns to re-encrypt contains every encrypted column', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and column_name like '%sealed%'`.execute(
    before.services.db.query,
  )
  expect(rows.length).toBeGreaterThan(5)
  const listed = sealedColumns.map((names) => names.join('.'))
  expect(listed).toEqual(
    expect.arrayContaining(rows.map(({ table, column }) => `${table}.${column}`)),
  )
})

test('with both values of SECRET everything keeps working, and cookies are signed with the new one', async () => {
  const app = await startWith(second!, first!)
  const response = await app.nobody.send('GET', '/api/sessions', { headers: { cookie } })
  expect(response.status).toBe(200)
  const renewed = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect(renewed).not.toBe(cookie)
  expect(renewed.split('.')[1]?.slice(0, 30)).toBe(cookie.split('.')[1]?.slice(0, 30))
  // better-auth's own handlers also accept the old cookie.
  const session = await app.nobody.send('GET', '/api/auth/get-session', { headers: { cookie } })
  expect(session.body).toMatchObject({ user: { email: member.email } })

  const { body } = await app.nobody.send('GET', '/api/admin-settings', {
    headers: { cookie: admin.cookie },
  })
  expect(body).toMatchObject({ stripe_webhook_secret: '••••••••9876' })
  cookie = renewed
})

test('without the old SECRET, cookies, second factors and the webhook keep working', async () => {
  const app = await startWith(second!, null)
  expect((await app.nobody.send('GET', '/api/sessions', { headers: { cookie } })).status).toBe(200)
  const old = await app.nobody.send('GET', '/api/sessions', { headers: { cookie: admin.cookie } })
  expect(old.code).toBe('unauthenticated')
  for (const [operation, code] of [
    [verifyTotp, await codeNow()],
    [verifyBackupCode, backupCodes[0] ?? ''],
  ] as const) {
    // This sign-in is not complete, because it requires the second factor.
    const begun = await app.signIn(member.email)
    const done = await begun.call(operation, { body: { code } })
    expect(done.status).toBe(200)
  }
  const fresh = await app.signIn(admin.email)
  const settings = await fresh.call(getSettings, {})
  expect(settings.body.stripe_webhook_secret).toBe('••••••••9876')
  const { config, secretBox, settings: cache } = app.services
  expect(resolveStripeKey(config, cache.stripe(), secretBox)).toBe(stripeKey)
  expect(app.services.stripe.isSetUp()).toBe(true)
  expect((await fresh.call(listSessions, {})).body.data.length).toBeGreaterThan(0)
})

test('after SECRET was lost, settings are still readable and the webhook secret can be entered again', async () => {
  const third = 'third-secret'.padEnd(40, '.')
  await expect(startWith(third, null)).rejects.toThrow('ACCEPT_NEW_SECRET=on')
  const app = await startWith(third, null, true)
  const fresh = await app.signIn(admin.email)
  const { body } = await fresh.call(getSettings, {})
  expect(body.stripe_webhook_secret).toBe('')
  const { updated_at: _, ...plain } = body
  const saved = await fresh.call(updateSettings, {
    body: { action: 'update', settings: { ...plain, stripe_webhook_secret: 'whsec_new_1234' } },
  })
  expect(saved.body.stripe_webhook_secret).toBe('••••••••1234')
})

/** Decodes Base32 (RFC 4648 §6), as authenticator apps do. */
function decodeSecret(uri: string): string {
  const letters = [...(new URL(uri).searchParams.get('secret') ?? '').replaceAll('=', '')]
  const bits = letters
    .map((letter) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
    )
    .join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 2)))
}
