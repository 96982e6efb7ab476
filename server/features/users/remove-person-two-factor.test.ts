// Tests that an admin can disable two-factor authentication of a person who lost both the phone and the recovery codes.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getPerson, listPersonAudit, removeTwoFactor } from '#contract/admin/admin-people.ts'
import { enableTwoFactor, verifyTotp } from '#contract/auth.ts'
import { createAuthenticator, testPassword } from '../../testing/auth-test-app.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

type Person = Awaited<ReturnType<TestApp['makePerson']>>
let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

async function enrol(person: Person): Promise<void> {
  const { body } = await person.call(enableTwoFactor, { body: { password: testPassword } })
  const code = await createAuthenticator(body.totpURI)()
  expect((await person.call(verifyTotp, { body: { code } })).status).toBe(200)
}
const remove = (id: string) => admin.call(removeTwoFactor, { params: { id } })
const begin = async (email: string) =>
  (
    await app.nobody.send('POST', '/api/auth/sign-in/email', {
      body: { email, password: testPassword },
    })
  ).body

test('the person can sign in with only the password and gets an email; the change is audited', async () => {
  const person = await app.makePerson()
  await enrol(person)
  expect(await begin(person.email)).toEqual({ twoFactorRedirect: true })
  const sent = vi.spyOn(app.services.auth, 'mailTwoFactorRemoved')
  expect((await remove(person.id)).status).toBe(204)
  expect(await begin(person.email)).toEqual({ twoFactorRedirect: false })
  const { body } = await admin.call(getPerson, { params: { id: person.id } })
  expect(body.two_factor_enabled).toBe(false)

  const entries = await admin.call(listPersonAudit, { params: { id: person.id } })
  expect(entries.body.data[0]).toMatchObject({
    action: 'update',
    actor: { id: admin.id },
    before: { two_factor: 'on' },
    after: { two_factor: 'off' },
  })
  expect(sent.mock.calls).toEqual([[person.email]])
  expect((await remove(person.id)).code).toBe('two_factor_off')
})

test("rejects the admin's own account, because turning it off there requires the password", async () => {
  expect((await remove(admin.id)).code).toBe('own_two_factor')
  expect((await remove('0191a0c0-0000-7000-8000-0000000000ff')).code).toBe('user_not_found')
})
