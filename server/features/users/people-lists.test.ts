// Tests sorting, filtering and pages of the lists Users and Billing.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { exportUsers, listUsers, userSorts } from '#contract/admin/admin-users.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person
let ana: Person
let bo: Person
let cy: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  ana = await app.makePerson({ role: 'editor', tier: 'yearly' })
  bo = await app.makePerson({ banned: true })
  cy = await app.makePerson({ tier: 'comped' })
  for (const [person, display_name, created_at, ends] of [
    [admin, 'Zed', '2026-01-01T12:00:00Z', null],
    [ana, 'ana', '2026-02-01T12:00:00Z', '2027-03-01T00:00:00Z'],
    [bo, '', '2026-03-01T12:00:00Z', null],
    [cy, 'Cy', '2026-04-01T12:00:00Z', '2027-02-01T00:00:00Z'],
  ] as const) {
    await app.services.db.query
      .updateTable('profiles')
      .set({ display_name, created_at, subscription_ends_at: ends })
      .where('id', '=', person.id)
      .execute()
  }
  const { id: user_id } = ana
  await admin.call(runBillingAction, {
    body: {
      action: 'manual_update_subscription',
      user_id,
      tier: 'yearly',
      status: 'active',
      payment_method: 'zelle',
      notes: 'Pays late',
    },
  })
})
afterAll(() => app.close())

type Query = NonNullable<CallInput<typeof listUsers>['query']>
async function users(query: Query): Promise<string[]> {
  const { body } = await admin.call(listUsers, { query })
  expect(body.pagination.total).toBe(query.page_size ? 4 : body.data.length)
  return body.data.map(({ id }) => nameOf(id))
}

type Filters = Omit<
  Extract<CallInput<typeof runBillingAction>['body'], { action: 'list_subscriptions' }>,
  'action'
>
async function subscriptions(filters: Filters): Promise<string[]> {
  const { body } = await admin.call(runBillingAction, {
    body: { action: 'list_subscriptions', ...filters },
  })
  return (body.subscriptions ?? []).map(({ user_id }) => nameOf(user_id))
}

const nameOf = (id: string) =>
  Object.entries({ admin, ana, bo, cy }).find(([, person]) => person.id === id)?.[0] ?? id

test('lists people newest first by default', async () => {
  expect(await users({})).toEqual(['cy', 'bo', 'ana', 'admin'])
})

test.each([
  ['email', ['admin', 'ana', 'bo', 'cy'], ['cy', 'bo', 'ana', 'admin']],
  // Empty names are sorted last in both directions. Case is ignored.
  ['display_name', ['ana', 'cy', 'admin', 'bo'], ['admin', 'cy', 'ana', 'bo']],
  ['role', ['admin', 'bo', 'ana', 'cy'], ['cy', 'ana', 'bo', 'admin']],
  ['created_at', ['admin', 'ana', 'bo', 'cy'], ['cy', 'bo', 'ana', 'admin']],
] as const)('sorts people by %s', async (sort, ascending, descending) => {
  expect(await users({ sort, direction: 'asc' })).toEqual(ascending)
  expect(await users({ sort, direction: 'desc' })).toEqual(descending)
})

test.each(userSorts)('pages of people sorted by %s add up to the full list', async (sort) => {
  for (const direction of ['asc', 'desc'] as const) {
    const whole = await users({ sort, direction })
    const pages = []
    for (const page of [1, 2, 3, 4]) {
      pages.push(...(await users({ sort, direction, page, page_size: 1 })))
    }
    expect(pages).toEqual(whole)
  }
})

test('filters people by plan and by sign-up day, in the list and in the CSV', async () => {
  expect(await users({ subscription_tier: 'comped' })).toEqual(['cy'])
  expect(await users({ joined_from: '2026-02-01', joined_to: '2026-03-01' })).toEqual(['bo', 'ana'])
  expect(await users({ joined_from: '2026-03-01T12:00:01Z' })).toEqual(['cy'])
  expect(await users({ role: 'banned', subscription_tier: 'free' })).toEqual(['bo'])
  const csv = async (query: string) =>
    String((await admin.send('GET', `${exportUsers.path}?${query}`)).body)
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => nameOf(line.split(',')[0] ?? ''))
  expect(await csv('joined_to=2026-01-31')).toEqual(['admin'])
  expect(await csv(`ids=${cy.id},${ana.id}`)).toEqual(['cy', 'ana'])
  expect((await admin.send('GET', `${exportUsers.path}?ids=x`)).code).toBe('invalid_input')
})

test('finds subscriptions by name or email, and filters them by every column', async () => {
  expect(await subscriptions({})).toEqual(['cy', 'bo', 'ana', 'admin'])
  expect(await subscriptions({ q: 'ANA' })).toEqual(['ana'])
  expect(await subscriptions({ q: cy.email })).toEqual(['cy'])
  expect(await subscriptions({ tier: 'free', status: 'inactive' })).toEqual(['bo', 'admin'])
  expect(await subscriptions({ payment_method: 'zelle' })).toEqual(['ana'])
  expect(await subscriptions({ payment_method: 'none' })).toEqual(['cy', 'bo', 'admin'])
  expect(await subscriptions({ notes: 'with' })).toEqual(['ana'])
  expect(await subscriptions({ notes: 'without' })).toEqual(['cy', 'bo', 'admin'])
  expect(await subscriptions({ renews_to: '2027-02-01' })).toEqual(['cy'])
  expect(await subscriptions({ renews_from: '2027-02-02' })).toEqual(['ana'])
})

test.each([
  ['email', ['admin', 'ana', 'bo', 'cy']],
  ['tier', ['cy', null, null, 'ana']],
  ['status', [null, null, null, null]],
  ['payment_method', ['ana', null, null, null]],
  ['renewal_date', ['cy', 'ana', null, null]],
  ['notes', ['ana', null, null, null]],
] as const)('sorts subscriptions by %s, empty values last', async (sort, expected) => {
  const shown = await subscriptions({ sort, direction: 'asc' })
  expect(shown).toHaveLength(4)
  expected.forEach((name, index) => name && expect(shown[index]).toBe(name))
  const descending = await subscriptions({ sort, direction: 'desc' })
  if (sort === 'renewal_date') expect(descending.slice(0, 2)).toEqual(['ana', 'cy'])
  if (sort === 'notes') expect(descending[0]).toBe('ana')
})
