import { afterAll, beforeAll, expect, test } from 'vitest'
import { getOfflineLease, offlineLeaseDays } from '#contract/offline.ts'
import type { Tier } from '#contract/plans.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
const nowMs = Date.parse('2026-11-21T12:00:00Z')
const daysAhead = (days: number) => new Date(nowMs + days * 24 * 3600 * 1000).toISOString()

beforeAll(async () => {
  app = await createTestApp({ brandName: 'Sunday Tapes & Co' }, { now: () => new Date(nowMs) })
})
afterAll(() => app.close())

async function makePremium(subscription_ends_at: string | null, tier: Tier = 'monthly') {
  const person = await app.makePerson({ tier })
  await app.services.db.query
    .updateTable('profiles')
    .set({ subscription_ends_at })
    .where('id', '=', person.id)
    .execute()
  return person
}

test('a lease of downloads lasts thirty days, or until the subscription ends', async () => {
  for (const [endsAt, expected] of [
    [null, daysAhead(offlineLeaseDays)],
    [daysAhead(400), daysAhead(offlineLeaseDays)],
    [daysAhead(3), daysAhead(3)],
  ] as const) {
    const person = await makePremium(endsAt)
    const { status, body } = await person.call(getOfflineLease, {})
    expect(status).toBe(200)
    expect(body).toEqual({ issued_at: daysAhead(0), expires_at: expected })
  }
})

test('only Premium members get a lease, regardless of their role', async () => {
  for (const person of [
    await app.makePerson(),
    await app.makePerson({ role: 'admin' }),
    // A member whose subscription has ended, but the job that deactivates it has not run yet.
    await makePremium(daysAhead(-1)),
  ]) {
    expect(await person.call(getOfflineLease, {})).toMatchObject({
      status: 403,
      code: 'premium_required',
    })
  }
})

test("the manifest contains the owner's name and icons that phones accept", async () => {
  const { status, body, headers } = await app.nobody.send('GET', '/manifest.webmanifest')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^application\/manifest\+json/)
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(JSON.parse(String(body))).toMatchObject({
    name: 'Sunday Tapes & Co',
    short_name: 'Sunday',
    display: 'standalone',
    start_url: '/browse',
    icons: [{ sizes: '192x192' }, { sizes: '512x512' }, { purpose: 'maskable' }],
  })
})
