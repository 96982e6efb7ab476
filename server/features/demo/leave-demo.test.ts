// Switching the demo off in the back office.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import { getDemo, leaveDemo } from '#contract/admin/service/admin-demo.ts'
import { demoAccounts, demoPassword } from '#contract/demo.ts'
import { getProfile } from '#contract/profiles.ts'
import { getSite } from '#contract/site.ts'
import { createSettingsCache } from '../settings/settings-cache.ts'
import { testPassword } from '../../testing/auth-test-app.ts'
import { createTestApp, type Caller, type TestApp } from '../../testing/test-app.ts'
import { seedDemoActivity } from './demo-activity.ts'
import { startDemo } from './demo-catalogue.ts'

let app: TestApp
let demoAdmin: Caller
const owner = { email: 'owner@example.com', password: testPassword }

/** Each test gets a new service, because a demo can be switched off only once. */
beforeEach(async () => {
  app = await createTestApp()
  const demo = await startDemo(app.services)
  app.services.demoProgress = demo.progress
  demoAdmin = await signIn('admin@velour.test')
})
afterEach(() => app.close())

async function signIn(email: string, password: string = demoPassword): Promise<Caller> {
  const answer = await app.nobody.send('POST', '/api/auth/sign-in/email', {
    body: { email, password },
  })
  if (answer.status !== 200) throw new Error(`Signing in answered ${answer.status}`)
  const pairs = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return app.as(pairs.join('; '))
}
const site = async () => (await app.nobody.call(getSite, {})).body
const readFigureDays = () =>
  app.services.db.query.selectFrom('demo_insight_days').select('day').execute()

test('creates the owner’s admin account, closes the demo accounts immediately, and keeps the demo off', async () => {
  await seedDemoActivity(app.services.db, new Date())
  expect((await readFigureDays()).length).toBeGreaterThan(0)
  expect((await site()).demo).not.toBeNull()
  expect((await demoAdmin.call(getDemo, {})).body).toEqual({ is_on: true, own_admins: [] })
  // The settings as another instance has cached them.
  const other = await createSettingsCache(app.services.db, app.services.bus, app.app.log)

  const answer = await demoAdmin.call(leaveDemo, { body: { owner } })
  const emails = demoAccounts.map(({ email }) => email).toSorted()
  expect([answer.status, answer.body]).toEqual([200, { closed: emails }])
  expect((await site()).demo).toBeNull()
  await expect.poll(() => other.isDemoLeft()).toBe(true)
  other.close()
  await expect.poll(async () => (await demoAdmin.call(getProfile, {})).body.data).toBeNull()
  for (const email of emails) await expect(signIn(email)).rejects.toThrow('401')
  expect(await readFigureDays()).toEqual([])

  const own = await app.signIn(owner.email)
  const { data } = (await own.call(listAuditLog, {})).body
  expect(data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'create', entity: 'user', after: { role: 'admin' } }),
      expect.objectContaining({ after: { demo: 'left', closed_accounts: emails } }),
    ]),
  )
  // An instance that still runs the demo generates no more data.
  await seedDemoActivity(app.services.db, new Date())
  expect(await readFigureDays()).toEqual([])
  await app.restart()
  expect(app.services.settings.isDemoLeft()).toBe(true)
})

test('if two admins switch the demo off concurrently, one of the requests succeeds', async () => {
  const other = await app.makePerson({ role: 'admin' })
  const second = { ...owner, email: 'second@example.com' }
  const answers = await Promise.all([
    demoAdmin.call(leaveDemo, { body: { owner } }),
    other.call(leaveDemo, { body: { owner: second } }),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const people = await app.services.db.query
    .selectFrom('profiles')
    .select('email')
    .where('email', 'in', [owner.email, second.email])
    .execute()
  expect(people).toHaveLength(1)
  expect(await other.call(leaveDemo, { body: { owner } })).toMatchObject({
    status: 409,
    code: 'demo_off',
  })
})

test('without a new account, requires another admin, and changes nothing if there is none', async () => {
  const refused = await demoAdmin.call(leaveDemo, { body: { owner: null } })
  expect(refused).toMatchObject({ status: 400, code: 'demo_needs_owner' })
  expect((await site()).demo).not.toBeNull()
  const own = await app.makePerson({ role: 'admin' })
  expect((await own.call(getDemo, {})).body.own_admins).toEqual([own.email])
  expect((await own.call(leaveDemo, { body: { owner: null } })).status).toBe(200)
  expect((await own.call(getProfile, {})).body.data).toMatchObject({ role: 'admin' })
})

test.each([
  [{ ...owner, password: 'eleven char' }, 'admin_password_too_short'],
  [{ ...owner, password: demoPassword }, 'admin_password_too_short'],
  [{ ...owner, email: 'nobody' }, 'invalid_email'],
  [{ ...owner, email: 'free@velour.test' }, 'email_exists'],
])('refuses %o and keeps the demo on', async (person, code) => {
  expect((await demoAdmin.call(leaveDemo, { body: { owner: person } })).code).toBe(code)
  expect((await site()).demo).not.toBeNull()
  await signIn('premium@velour.test')
})

test('members and editors cannot switch the demo off; its categories are kept afterwards', async () => {
  for (const role of ['member', 'editor'] as const) {
    const person = await app.makePerson({ role })
    expect((await person.call(leaveDemo, { body: { owner } })).status).toBe(403)
    expect((await person.call(getDemo, {})).status).toBe(403)
  }
  expect((await app.nobody.call(leaveDemo, { body: { owner } })).status).toBe(401)
  const categories = () =>
    app.services.db.query.selectFrom('category_metadata').select('category').execute()
  const before = await categories()
  await demoAdmin.call(leaveDemo, { body: { owner } })
  expect(await categories()).toEqual(before)
})

test('returns demo_off if the demo is not on', async () => {
  app.services.demoProgress = () => null
  expect((await demoAdmin.call(getDemo, {})).body.is_on).toBe(false)
  expect((await demoAdmin.call(leaveDemo, { body: { owner } })).code).toBe('demo_off')
})
