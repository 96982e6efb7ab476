// The setting that requires a second factor of admins: who can enable it, and what it blocks.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isStaffAccess } from '#contract/access.ts'
import { getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import { disableTwoFactor, enableTwoFactor, verifyTotp } from '#contract/auth.ts'
import { receiveBillingEvent } from '#contract/billing.ts'
import { getProfile } from '#contract/profiles.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import { findContractEndpoints } from '../../testing/contract-endpoints.ts'
import { createTestApp, type Caller, type Person, type TestApp } from '../../testing/test-app.ts'
import { createAuthenticator, testPassword } from '../../testing/auth-test-app.ts'

const adminEndpoints = (await findContractEndpoints()).filter(({ endpoint }) =>
  isStaffAccess(endpoint.access),
)
const id = '0191a0c0-0000-7000-8000-00000000dead'

let app: TestApp
/** The admin who enables the setting, and who has a second factor. */
let careful: Person
/** An admin without a second factor. */
let other: Person

beforeAll(async () => {
  app = await createTestApp()
  careful = await app.makePerson({ role: 'admin' })
  other = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

async function save(who: Caller, admins_need_two_factor: boolean) {
  const { updated_at: _, ...settings } = (await careful.call(getSettings, {})).body
  return who.call(updateSettings, {
    body: { action: 'update', settings: { ...settings, admins_need_two_factor } },
  })
}

/** Enables the second factor. Returns the person with the new session that this starts. */
async function setUp(person: Person): Promise<Person> {
  const { body } = await person.call(enableTwoFactor, { body: { password: testPassword } })
  const code = await createAuthenticator(body.totpURI)()
  const verified = await person.call(verifyTotp, { body: { code } })
  expect(verified.status).toBe(200)
  const cookie = verified.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { ...person, ...app.as(cookie) }
}
const readProfile = async (who: Caller) => (await who.call(getProfile, {})).body.data

test('the setting is off by default, and cannot be enabled by an admin without a second factor', async () => {
  expect((await careful.call(getSettings, {})).body.admins_need_two_factor).toBe(false)
  expect(await save(careful, true)).toMatchObject({ status: 409, code: 'own_two_factor_off' })
  expect((await careful.call(getSettings, {})).body.admins_need_two_factor).toBe(false)
  expect(await readProfile(other)).toMatchObject({ second_factor_required: false })
})

test('while the setting is on, admins without a second factor can use everything except the back office', async () => {
  careful = await setUp(careful)
  expect((await save(careful, true)).body).toMatchObject({ admins_need_two_factor: true })
  for (const { name, endpoint } of adminEndpoints) {
    const path = endpoint.path.replaceAll(/:\w+/g, id)
    const response = await other.send(endpoint.method, path, endpoint.body && { body: {} })
    expect([response.status, response.code], name).toEqual([403, 'second_factor_required'])
  }
  // Members can call these operations too, with fewer rights.
  const upload = { bucket: 'audio', filename: 'a.wav', mime: 'audio/wav' } as const
  expect((await other.call(createSignedUpload, { body: upload })).code).toBe(
    'second_factor_required',
  )
  const event = { id: 'evt_1', type: 'x', created: 1, data: { object: {} } }
  expect((await other.call(receiveBillingEvent, { body: event })).code).toBe(
    'second_factor_required',
  )
  expect(await readProfile(other)).toMatchObject({ second_factor_required: true, role: 'admin' })
  expect((await other.send('GET', '/api/tracks')).status).toBe(200)
  expect((await careful.call(getSettings, {})).status).toBe(200)
  expect(await readProfile(careful)).toMatchObject({ second_factor_required: false })
})

test('an admin who enables a second factor gets access immediately, and cannot disable it again', async () => {
  other = await setUp(other)
  expect((await other.call(getSettings, {})).status).toBe(200)
  expect(await readProfile(other)).toMatchObject({ second_factor_required: false })
  const off = await other.call(disableTwoFactor, { body: { password: testPassword } })
  expect(off).toMatchObject({ status: 403, code: 'second_factor_required' })
  expect(await readProfile(other)).toMatchObject({ two_factor_enabled: true })

  const member = await setUp(await app.makePerson())
  const own = await member.call(disableTwoFactor, { body: { password: testPassword } })
  expect(own.status).toBe(200)
})

test('after the setting is disabled, admins can disable their second factor', async () => {
  expect((await save(other, false)).body.admins_need_two_factor).toBe(false)
  const off = await other.call(disableTwoFactor, { body: { password: testPassword } })
  expect(off.status).toBe(200)
})
