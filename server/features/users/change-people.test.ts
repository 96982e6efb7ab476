// Tests bulk changes: all selected people are changed or none, with an audit entry for each person.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { bulkLimit, changePeople, type BulkChange } from '#contract/admin/admin-bulk.ts'
import { getPerson } from '#contract/admin/admin-people.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

type Selection = CallInput<typeof changePeople>['body']['selection']
const change = (selection: Selection, what: BulkChange, by = admin) =>
  by.call(changePeople, { body: { selection, change: what } })
const idsOf = (people: Person[]) => ({ ids: people.map(({ id }) => id) })
const show = async ({ id }: Person) => (await admin.call(getPerson, { params: { id } })).body
const countEntries = async () => (await admin.call(listAuditLog, {})).body.pagination.total

test('bans, signs out and audits each selected person, and lifts the bans', async () => {
  const people = [await app.makePerson(), await app.makePerson({ role: 'editor' })]
  const [one, two] = people as [Person, Person]
  const before = await countEntries()
  expect((await change(idsOf(people), { kind: 'ban' })).body).toEqual({ changed: 2 })
  await expect.poll(async () => (await one.send('GET', '/api/tracks')).status).toBe(401)
  expect((await show(two)).role).toBe('banned')
  expect(await countEntries()).toBe(before + 2)
  const log = await admin.call(listAuditLog, { query: { action: 'ban' } })
  const changedIds = log.body.data.slice(0, 2).map(({ entity_id }) => entity_id)
  expect(new Set(changedIds)).toEqual(new Set(idsOf(people).ids))
  // People who are already banned are not changed and get no audit entry.
  expect((await change(idsOf(people), { kind: 'ban' })).body).toEqual({ changed: 0 })
  expect(await countEntries()).toBe(before + 2)
  expect((await change(idsOf(people), { kind: 'unban' })).body).toEqual({ changed: 2 })
  expect((await show(two)).role).toBe('editor')
})

test('sets a role for several people, and keeps their bans', async () => {
  const free = await app.makePerson()
  const banned = await app.makePerson({ banned: true })
  const { body } = await change(idsOf([free, banned]), { kind: 'role', role: 'creator' })
  expect(body).toEqual({ changed: 2 })
  expect((await show(free)).role).toBe('creator')
  expect((await show(banned)).role).toBe('banned')
  await change(idsOf([banned]), { kind: 'unban' })
  expect((await show(banned)).role).toBe('creator')
})

test('changes nobody if the selection includes the admin who makes the change', async () => {
  const person = await app.makePerson()
  for (const what of [{ kind: 'ban' }, { kind: 'role', role: 'member' }] as const) {
    const refused = await change(idsOf([person, admin]), what)
    expect([refused.code, refused.status]).toEqual(['own_account', 409])
  }
  expect((await show(person)).role).toBe('member')
  expect((await show(admin)).role).toBe('admin')
})

test('a new tier also sets the status; a new status keeps the tier', async () => {
  const people = [await app.makePerson(), await app.makePerson({ tier: 'monthly' })]
  await change(idsOf(people), { kind: 'plan', tier: 'comped' })
  for (const person of people) {
    expect(await show(person)).toMatchObject({
      subscription_tier: 'comped',
      subscription_status: 'active',
    })
  }
  await change(idsOf(people), { kind: 'status', status: 'pending' })
  expect(await show(people[0]!)).toMatchObject({
    subscription_tier: 'comped',
    subscription_status: 'pending',
  })
})

test('changes no plan if Stripe bills one of the selected people', async () => {
  const [free, billed] = [await app.makePerson(), await app.makePerson({ tier: 'monthly' })]
  await app.services.db.query
    .insertInto('stripe_subscriptions')
    .values({ id: 'sub_bulk', user_id: billed.id, status: 'active', tier: 'monthly' })
    .execute()
  const refused = await change(idsOf([free, billed]), { kind: 'plan', tier: 'yearly' })
  expect([refused.code, refused.status]).toEqual(['selection_billed', 409])
  expect((await show(free)).subscription_tier).toBe('free')
})

test('changes payment methods only if every subscription is manual, but notes in any case', async () => {
  const [manual, other] = [await app.makePerson(), await app.makePerson()]
  await admin.call(runBillingAction, {
    body: {
      action: 'manual_update_subscription',
      user_id: manual.id,
      tier: 'premium',
      status: 'active',
      payment_method: 'cash',
    },
  })
  const zelle = { kind: 'payment_method', payment_method: 'zelle' } as const
  expect((await change(idsOf([manual, other]), zelle)).code).toBe('selection_not_manual')
  expect((await change(idsOf([manual]), zelle)).body).toEqual({ changed: 1 })
  await change(idsOf([manual, other]), { kind: 'note', note: 'A private word' })
  const { body } = await admin.call(runBillingAction, {
    body: { action: 'get_subscription', user_id: other.id },
  })
  expect(body.subscription).toMatchObject({ notes: 'A private word', is_manual: false })
  const log = await admin.call(listAuditLog, { query: { entity: 'subscription' } })
  expect(JSON.stringify(log.body.data)).not.toContain('private word')
})

test('changes all people who match the filters, but only if their number is still the one that the admin saw', async () => {
  const people = [
    await app.makePerson({ tier: 'lifetime' }),
    await app.makePerson({ tier: 'lifetime' }),
  ]
  const users = { subscription_tier: 'lifetime' } as const
  const role = { kind: 'role', role: 'editor' } as const
  expect((await change({ users, count: 3 }, role)).code).toBe('selection_changed')
  expect((await change({ users, count: 2 }, role)).body).toEqual({ changed: 2 })
  const subscriptions = { tier: 'lifetime' } as const
  const pending = { kind: 'status', status: 'pending' } as const
  expect((await change({ subscriptions, count: 2 }, pending)).body).toEqual({ changed: 2 })
  expect(await show(people[0]!)).toMatchObject({ role: 'editor', subscription_status: 'pending' })
})

test('changes nobody if more people are selected than the limit allows, or if one is unknown', async () => {
  const person = await app.makePerson()
  const unknown = '00000000-0000-7000-8000-000000000000'
  const gone = await change({ ids: [person.id, unknown] }, { kind: 'ban' })
  expect(gone.code).toBe('selection_changed')
  await app.asOwner(
    `insert into profiles (email, subscription_status, subscription_tier)
     select 'many-' || n || '@velour.test', 'canceled', 'yearly' from generate_series(1, ${bulkLimit + 1}) n`,
  )
  const many = { users: { subscription_status: 'canceled' }, count: bulkLimit + 1 } as const
  expect((await change(many, { kind: 'ban' })).code).toBe('selection_too_large')
  expect((await show(person)).role).toBe('member')
})

test('at least one admin is left when two admins ban each other in bulk', async () => {
  const own = await createTestApp()
  try {
    const one = await own.makePerson({ role: 'admin' })
    const two = await own.makePerson({ role: 'admin' })
    const answers = await Promise.all([
      change(idsOf([two]), { kind: 'ban' }, one),
      change(idsOf([one]), { kind: 'role', role: 'member' }, two),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  } finally {
    await own.close()
  }
})
