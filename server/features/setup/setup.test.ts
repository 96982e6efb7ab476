// Creating the first admin in the browser, with the code that the server prints when it starts.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import { getSite } from '#contract/site.ts'
import { createFirstAdmin, openSetup } from '#contract/setup.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { setRole } from '../auth/create-user.ts'
import { ensureFirstAdmin } from '../auth/first-admin.ts'
import { transaction } from '../../platform/db/database.ts'
import { startServices } from '../../services.ts'
import { testPassword } from '../../testing/auth-test-app.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let code: string

beforeAll(async () => {
  app = await createTestApp()
  code = readCode(app.services.setupCode.link)
})
afterAll(() => app.close())

beforeEach(async () => {
  const { query } = app.services.db
  await query.deleteFrom('rate_limits').execute()
  await query.updateTable('user_roles').set({ role: 'member' }).execute()
  await app.restart()
})

const readCode = (link: string) => link.slice(link.indexOf('#') + 1)
const owner = { brand_name: 'Late Desk', email: 'owner@example.com', password: testPassword }
type Body = CallInput<typeof createFirstAdmin>['body']
const create = (changes: Partial<Body> = {}) =>
  app.nobody.call(createFirstAdmin, { body: { code, ...owner, ...changes } })
const open = (given = code) => app.nobody.call(openSetup, { body: { code: given } })
const site = async () => (await app.nobody.call(getSite, {})).body
const admins = () =>
  app.services.db.query
    .selectFrom('user_roles as r')
    .innerJoin('profiles as p', 'p.id', 'r.user_id')
    .select('p.email')
    .where('r.role', '=', 'admin')
    .execute()

test('the setup code has 192 bits, and /api/site does not contain it', async () => {
  expect(Buffer.from(code, 'base64url')).toHaveLength(24)
  expect(app.services.setupCode.link).toBe(`${app.services.config.publicUrl}/setup#${code}`)
  const response = await site()
  expect(response.has_owner).toBe(false)
  expect(JSON.stringify(response)).not.toContain(code)
})

test('accepts the same code after a restart and on other instances', async () => {
  await app.restart()
  expect(readCode(app.services.setupCode.link)).toBe(code)
  const other = await startServices(app.services.config, app.app.log)
  expect(readCode(other.services.setupCode.link)).toBe(code)
  await other.close()
  expect((await open()).status).toBe(200)
})

test('creates an admin who can sign in, and sets the service’s name', async () => {
  const response = await create({ email: 'Owner@Example.com', brand_name: '  Late  Desk ' })
  expect([response.status, response.body]).toEqual([201, { status: true }])
  expect(await admins()).toEqual([{ email: owner.email }])
  expect(await site()).toMatchObject({ has_owner: true, brand_name: 'Late Desk' })
  const admin = await app.signIn(owner.email)
  const { data } = (await admin.call(listAuditLog, {})).body
  expect(data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'create', entity: 'user', after: { role: 'admin' } }),
      expect.objectContaining({ action: 'update', after: { brand_name: 'Late Desk' } }),
    ]),
  )
})

test('returns 409 if there is already an admin, even with the correct code', async () => {
  await create({ email: 'first@example.com' })
  for (const given of [code, 'wrong']) {
    expect(await open(given)).toMatchObject({ status: 409, code: 'setup_done' })
    const again = await create({ code: given, email: 'second@example.com' })
    expect(again).toMatchObject({ status: 409, code: 'setup_done' })
  }
  expect(await admins()).toEqual([{ email: 'first@example.com' }])
})

test.each(['', ' ', 'wrong', 'x'.repeat(32)])('refuses the code "%s"', async (wrong) => {
  const expected =
    wrong === ''
      ? { status: 400, code: 'invalid_input' }
      : { status: 403, code: 'setup_code_invalid' }
  expect(await open(wrong)).toMatchObject(expected)
  expect(await create({ code: wrong })).toMatchObject(expected)
  expect(await admins()).toEqual([])
})

test('exactly one of several concurrent requests succeeds', async () => {
  const emails = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@race.example`)
  const responses = await Promise.all(emails.map((email) => create({ email })))
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    201, 409, 409, 409, 409,
  ])
  expect(responses.filter(({ code: error }) => error === 'setup_done')).toHaveLength(4)
  expect(await admins()).toHaveLength(1)
})

test('a concurrent start with ADMIN_EMAIL creates its admin; the setup succeeds only if it comes first', async () => {
  const config = { adminEmail: 'env@example.com', adminPassword: testPassword }
  const [response] = await Promise.all([
    create({ email: 'browser@example.com' }),
    ensureFirstAdmin(app.services, config),
  ])
  const made = (await admins()).map(({ email }) => email)
  expect(made).toContain('env@example.com')
  expect(made.includes('browser@example.com')).toBe(response.status === 201)
})

test('refuses an address that already has an account, because it may be someone else’s', async () => {
  const member = await app.makePerson()
  expect(await create({ email: member.email })).toMatchObject({ status: 409, code: 'email_exists' })
  expect(await admins()).toEqual([])
})

test.each([
  [{ password: 'eleven char' }, 'admin_password_too_short'],
  [{ password: 'password1234' }, 'password_too_common'],
  [{ password: 'x'.repeat(129) }, 'password_too_long'],
  [{ email: 'nobody' }, 'invalid_email'],
  [{ brand_name: '  ' }, 'invalid_input'],
  [{ brand_name: 'Late\u0000' }, 'invalid_input'],
  [{ brand_name: 'x'.repeat(61) }, 'invalid_input'],
])('refuses the input %o', async (changes, error) => {
  expect(await create(changes)).toMatchObject({ status: 400, code: error })
  expect(await admins()).toEqual([])
})

test('limits attempts per network address, including those with the correct code', async () => {
  for (let guess = 0; guess < 20; guess++) expect((await open(`guess ${guess}`)).status).toBe(403)
  expect(await open()).toMatchObject({ status: 429, code: 'rate_limited' })
  expect(await create()).toMatchObject({ status: 429, code: 'rate_limited' })
  expect(await admins()).toEqual([])
})

test('detects an admin that another instance created, without a restart', async () => {
  expect((await site()).has_owner).toBe(false)
  const { id } = await app.makePerson()
  await transaction(app.services.db, (trx) => setRole(trx, id, 'admin'))
  expect((await site()).has_owner).toBe(true)
})
