import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listFeatureSwitches, setFeatureSwitch } from '#contract/admin/service/admin-features.ts'
import { featureNames, listMyFeatures, type FeatureAudience } from '#contract/features.ts'
import { findTrackPath, getMix, listMixes } from '#contract/radio.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let people: Record<'admin' | 'yearly' | 'monthly' | 'free', Person>
let ids: string[]

beforeAll(async () => {
  app = await createTestApp()
  people = {
    admin: await app.makePerson({ role: 'admin' }),
    yearly: await app.makePerson({ tier: 'yearly' }),
    monthly: await app.makePerson({ tier: 'monthly' }),
    free: await app.makePerson(),
  }
  ids = await makeTracks(app.services.db, 2)
})
beforeEach(async () => {
  await app.services.db.query.deleteFrom('feature_switches').execute()
})
afterAll(() => app.close())

const open = (name: (typeof featureNames)[number], audience: FeatureAudience) =>
  people.admin.call(setFeatureSwitch, { params: { feature: name }, body: { audience } })

/** Returns the names of the people for whom the server finds a path between two songs. */
async function findPeopleWithPath(): Promise<string[]> {
  const responses = await Promise.all(
    Object.entries(people).map(async ([name, person]) => {
      const input = { params: { id: ids[0]! }, query: { to: ids[1]! } }
      const { code, status } = await person.call(findTrackPath, input)
      if (status !== 200) expect(code).toBe('feature_closed')
      return status === 200 ? [name] : []
    }),
  )
  return responses.flat()
}

test('all features are open to everyone by default', async () => {
  const { data } = (await people.admin.call(listFeatureSwitches, {})).body
  expect(data).toEqual(featureNames.map((name) => ({ name, audience: 'everyone' })))
  expect((await people.free.call(listMyFeatures, {})).body.data).toEqual(featureNames)
  expect(await findPeopleWithPath()).toEqual(['admin', 'yearly', 'monthly', 'free'])
})

test.each([
  ['nobody', ['admin']],
  ['yearly', ['admin', 'yearly']],
  ['premium', ['admin', 'yearly', 'monthly']],
  ['everyone', ['admin', 'yearly', 'monthly', 'free']],
] as const)('a feature that is open to %s is available to %j', async (audience, allowed) => {
  expect((await open('song_path', audience)).body).toEqual({ name: 'song_path', audience })
  expect(await findPeopleWithPath()).toEqual(allowed)
  for (const [name, person] of Object.entries(people)) {
    const { data } = (await person.call(listMyFeatures, {})).body
    expect(data.includes('song_path'), name).toBe(allowed.some((one) => one === name))
    expect(data).toContain('daily_mixes')
  }
})

test('a yearly plan that has ended gives no access to features for yearly members', async () => {
  await open('song_path', 'yearly')
  const former = await app.makePerson({ tier: 'yearly' })
  await app.services.db.query
    .updateTable('profiles')
    .set({ subscription_status: 'inactive' })
    .where('id', '=', former.id)
    .execute()
  expect((await former.call(listMyFeatures, {})).body.data).toEqual(['daily_mixes'])
})

test('daily mixes require Premium, and can be limited to members with a yearly plan', async () => {
  await open('daily_mixes', 'yearly')
  const codes = async (person: Person) => [
    (await person.call(listMixes, {})).code,
    (await person.call(getMix, { params: { position: 1 } })).code,
  ]
  expect(await codes(people.yearly)).toEqual([undefined, 'not_found'])
  expect(await codes(people.monthly)).toEqual(['feature_closed', 'feature_closed'])
  expect(await codes(people.free)).toEqual(['premium_required', 'premium_required'])
})

test('only admins can list and set the audiences of features', async () => {
  const input = { params: { feature: 'song_path' }, body: { audience: 'everyone' } } as const
  expect((await people.yearly.call(setFeatureSwitch, input)).status).toBe(403)
  expect((await people.yearly.call(listFeatureSwitches, {})).status).toBe(403)
})
