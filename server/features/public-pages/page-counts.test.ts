// Counts by day and page: shares, visits, previews, sign-ups and first payments.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPageInsights } from '#contract/admin/insights.ts'
import { signUp } from '#contract/auth.ts'
import { recordShare } from '#contract/public-pages.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { createPageCounts, isPerson } from './page-counts.ts'
import { makePublicTrack } from './testing/public-music.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0' }
const day = new Date().toISOString().slice(0, 10)
const read = async (item_id: string) => {
  const { body } = await admin.call(listPageInsights, { query: { start: day, end: day } })
  return body.data.find((page) => page.item_id === item_id)
}

test('counts people but not crawlers, and attributes a sign-up to the page that the new member came from', async () => {
  const { id, slug } = await makePublicTrack(app, { title: 'Counted' })
  const get = (path: string, headers: Record<string, string>) => fetch(app.url + path, { headers })
  for (const headers of [browser, browser, { 'user-agent': 'WhatsApp/2.24' }]) {
    await get(`/t/${slug}`, headers)
    await get(`/t/${slug}/preview.m4a`, headers)
  }
  await get(`/t/${slug}/preview.m4a`, { ...browser, range: 'bytes=100-' })
  await app.nobody.call(recordShare, { body: { kind: 'track', slug } })
  await app.nobody.call(recordShare, { body: { kind: 'track', slug: 'none' } })
  const email = 'came-for-it@velour.test'
  const body = { email, password: 'a long password 7', redirectTo: `/browse?track=${id}` }
  expect((await app.nobody.call(signUp, { body })).status).toBe(200)
  await expect
    .poll(() => read(id))
    .toMatchObject({
      title: 'Counted',
      slug,
      shares: 1,
      visits: 2,
      previews: 2,
      sign_ups: 1,
      paid: 0,
    })
  const { db } = app.services
  const person = await db.query
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const payment = {
    user_id: person.id,
    amount_cents: 999,
    currency: 'usd',
    payment_method: 'cash',
    paid_at: new Date().toISOString(),
  } as const
  await db.query.insertInto('payments').values([payment, payment]).execute()
  expect(await read(id)).toMatchObject({ paid: 1 })
})

test('a sign-up with the address of an existing account is not counted for the page', async () => {
  const { id } = await makePublicTrack(app, { title: 'Not new' })
  const member = await app.makePerson()
  await app.asOwner(`update profiles set created_at = now() - interval '1 day'`)
  const body = {
    email: member.email,
    password: 'a long password 7',
    redirectTo: `/browse?track=${id}`,
  }
  await app.nobody.call(signUp, { body })
  expect(await read(id)).toBeUndefined()
})

test('adds up the counts of two server instances', async () => {
  const [one, other] = [0, 1].map(() => createPageCounts(app.services.db, app.services.log))
  const item = { kind: 'track', id: randomUUID() } as const
  one!.add(item, 'visits')
  other!.add(item, 'visits')
  await Promise.all([one!.stop(), other!.stop()])
  expect(await read(item.id)).toMatchObject({ visits: 2, title: 'Deleted', slug: null })
})

test.each([
  [browser['user-agent'], true],
  ['facebookexternalhit/1.1', false],
  ['Mozilla/5.0 (compatible; Googlebot/2.1)', false],
  [undefined, false],
])('a visitor with the User-Agent %s counts as a person: %s', (userAgent, expected) => {
  expect(isPerson(userAgent)).toBe(expected)
})
