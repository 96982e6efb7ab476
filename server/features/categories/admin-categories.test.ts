// Category operations for admins: their order, and the effects of a deletion.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import {
  createCategory,
  deleteCategory,
  getAdminCategory,
  listAdminCategories,
  reorderCategories,
} from '#contract/admin/admin-categories.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

async function list() {
  return (await admin.call(listAdminCategories, {})).body.data
}

test('converts a slug to lower case with hyphens, and rejects a duplicate', async () => {
  for (const category of ['Late Night Jazz', 'Focus', 'Study']) {
    await admin.call(createCategory, { body: { category, display_name: category } })
  }
  expect((await list()).map(({ category }) => category)).toEqual([
    'late-night-jazz',
    'focus',
    'study',
  ])
  const again = await admin.call(createCategory, {
    body: { category: 'LATE night  jazz', display_name: 'X' },
  })
  expect(again.code).toBe('category_exists')
})

test('finds a category by its slug and by its id', async () => {
  const [first] = await list()
  for (const id of [first?.category, first?.id]) {
    const found = await admin.call(getAdminCategory, { params: { id: id ?? '' } })
    expect(found.body).toEqual(first)
  }
})

test('saves the whole order, writes an audit entry, and shows the order to members', async () => {
  const before = await list()
  const ids = before.map(({ id }) => id).toReversed()
  const changed = await admin.call(reorderCategories, { body: { ids } })
  expect(changed.body.data.map(({ id, sort_order }) => [id, sort_order])).toEqual(
    ids.map((id, index) => [id, index]),
  )
  const member = await app.makePerson()
  const seen = (await member.send('GET', '/api/categories')).body as { data: { id: string }[] }
  expect(seen.data.map(({ id }) => id)).toEqual(ids)
  const [entry] = (await admin.call(listAuditLog, { query: { entity: 'category' } })).body.data
  expect(entry).toMatchObject({
    action: 'update',
    before: { order: ['late-night-jazz', 'focus', 'study'] },
    after: { order: ['study', 'focus', 'late-night-jazz'] },
  })
})

test('an order that does not list exactly the existing categories returns conflict and changes nothing', async () => {
  const ids = (await list()).map(({ id }) => id)
  const [first = '', second = ''] = ids
  for (const wrong of [
    [],
    ids.slice(1),
    [first, first, second],
    [...ids, first],
    [first, second, admin.id],
  ]) {
    const response = await admin.call(reorderCategories, { body: { ids: wrong } })
    expect([response.status, response.code]).toEqual([409, 'conflict'])
  }
  expect((await list()).map(({ id }) => id)).toEqual(ids)
})

test('if two orders are saved concurrently, stores one of them completely', async () => {
  const ids = (await list()).map(({ id }) => id)
  const orders = [ids, ids.toReversed()]
  const responses = await Promise.all(
    orders.map((order) => admin.call(reorderCategories, { body: { ids: order } })),
  )
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
  expect(orders).toContainEqual((await list()).map(({ id }) => id))
})

test('deleting a category keeps its tracks', async () => {
  const [first] = await list()
  const { db } = app.services
  const track = await db.query
    .insertInto('tracks')
    .values({ title: 'T', artist: 'A', category: first?.category ?? '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await admin.call(deleteCategory, { params: { id: first?.id ?? '' } })
  const left = await db.query.selectFrom('tracks').selectAll().where('id', '=', track.id).execute()
  expect(left).toMatchObject([{ category: null }])
})

test.each([
  ['Süße Träume', 'susse-traume'],
  ['夜 Jazz', 'u591c-jazz'],
])('converts the name %s to an ASCII slug', async (name, slug) => {
  const created = await admin.call(createCategory, {
    body: { category: name, display_name: name },
  })
  expect(created.body).toMatchObject({ category: slug, display_name: name })
})
