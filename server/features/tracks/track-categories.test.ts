// Tracks with several categories and moods: where they are listed, and what happens when categories change.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  addTracksToCategory,
  createCategory,
  deleteCategory,
  listAdminCategories,
  restoreCategory,
} from '#contract/admin/admin-categories.ts'
import {
  getAdminTrack,
  listAdminTracks,
  updateAdminTrack,
  updateAdminTracks,
} from '#contract/admin/admin-tracks.ts'
import { listCategories } from '#contract/categories.ts'
import { likeTrack, listTracks } from '#contract/tracks.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person
let member: Person
let first: string
let second: string
let third: string

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  member = await app.makePerson()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.services.db.query.deleteFrom('tracks').execute()
  await app.services.db.query.deleteFrom('category_metadata').execute()
  for (const category of ['focus', 'sleep', 'study']) {
    await admin.call(createCategory, { body: { category, display_name: category } })
  }
  ;[first, second, third] = (await makeTracks(app.services.db, 3)) as [string, string, string]
})

const save = async (id: string, body: Record<string, unknown>) =>
  (await admin.send('PATCH', `/api/admin-tracks/${id}`, { body })).status
const read = async (id: string) => {
  const { category, categories, moods, version } = (
    await admin.call(getAdminTrack, { params: { id } })
  ).body
  return { category, categories, moods, version }
}
const listed = async (query: Record<string, string>) => {
  const { body } = await member.call(listTracks, { query })
  expect(body.total).toBe(body.data.length)
  return body.data.map(({ id }) => id).toSorted()
}
const counts = async (who: Person) => {
  const endpoint = who === admin ? listAdminCategories : listCategories
  const { data } = (await who.call(endpoint, {})).body
  return Object.fromEntries(data.map(({ category, track_count }) => [category, track_count]))
}
const categoryId = async (slug: string) =>
  (await admin.call(listAdminCategories, {})).body.data.find(({ category }) => category === slug)!
    .id

test('lists and counts a track under each of its categories, and returns the first in the field `category`', async () => {
  expect(await save(first, { categories: ['focus', 'sleep'] })).toBe(200)
  expect(await save(second, { category: 'sleep' })).toBe(200)
  expect(await read(first)).toMatchObject({ category: 'focus', categories: ['focus', 'sleep'] })
  expect(await read(second)).toMatchObject({ category: 'sleep', categories: ['sleep'] })
  expect(await read(third)).toMatchObject({ category: null, categories: [], moods: [] })
  await expect.poll(() => listed({ category: 'sleep' })).toEqual([first, second].toSorted())
  expect(await listed({ category: 'focus' })).toEqual([first])
  expect(await listed({ category: 'nothing' })).toEqual([])
  expect(await listed({ category: 'sleep', order: 'title' })).toEqual([first, second].toSorted())
  expect(await listed({ category: 'sleep', q: 'Track' })).toEqual([first, second].toSorted())
  await member.call(likeTrack, { params: { id: first } })
  expect(await listed({ category: 'sleep', liked: 'true' })).toEqual([first])
  expect(await counts(member)).toEqual({ focus: 1, sleep: 2, study: 0 })
  expect(await counts(admin)).toEqual({ focus: 1, sleep: 2, study: 0 })
  const inSleep = await admin.call(listAdminTracks, { query: { category: 'sleep' } })
  expect(inSleep.body.pagination.total).toBe(2)
  const others = await admin.call(listAdminTracks, { query: { not_category: 'sleep' } })
  expect(others.body.data.map(({ id }) => id)).toEqual([third])
})

test('continues each page of a category where the previous page ended', async () => {
  for (const id of [first, second, third]) await save(id, { categories: ['focus', 'sleep'] })
  const page = async (cursor?: string) =>
    (
      await member.call(listTracks, {
        query: { category: 'sleep', limit: 2, ...(cursor && { cursor }) },
      })
    ).body
  const one = await page()
  const two = await page(one.next_cursor!)
  expect(new Set([...one.data, ...two.data].map(({ id }) => id)).size).toBe(3)
  expect(two.next_cursor).toBeNull()
})

test("removes hidden tracks from members' lists and counts immediately", async () => {
  await save(first, { categories: ['focus', 'sleep'] })
  await expect.poll(() => listed({ category: 'sleep' })).toEqual([first])
  await save(first, { is_published: false })
  await expect.poll(() => listed({ category: 'sleep' })).toEqual([])
  await expect.poll(() => counts(member)).toMatchObject({ focus: 0, sleep: 0 })
  expect(await counts(admin)).toMatchObject({ focus: 1, sleep: 1 })
})

test('setting the field `category` alone replaces the first category, and null removes all categories', async () => {
  await save(first, { categories: ['focus', 'sleep', 'study'] })
  await save(first, { category: 'sleep' })
  expect((await read(first)).categories).toEqual(['sleep', 'study'])
  await admin.call(addTracksToCategory, {
    params: { id: await categoryId('focus') },
    body: { track_ids: [first, second] },
  })
  expect((await read(first)).categories).toEqual(['focus', 'study'])
  expect((await read(second)).categories).toEqual(['focus'])
  await save(first, { category: null })
  expect(await read(first)).toMatchObject({ category: null, categories: [] })
  expect(await counts(admin)).toEqual({ focus: 1, sleep: 0, study: 0 })
})

test('saves categories in order without duplicates, and rejects unknown ones', async () => {
  await save(first, { categories: ['sleep', 'focus', 'sleep'] })
  expect((await read(first)).categories).toEqual(['sleep', 'focus'])
  const before = await read(first)
  for (const categories of [['nothing'], ['sleep', 'nothing'], ['']]) {
    expect(await save(first, { categories })).toBeGreaterThanOrEqual(400)
  }
  const body = { categories: ['sleep', 'nothing'] }
  const refused = await admin.call(updateAdminTrack, { params: { id: first }, body })
  expect(refused.code).toBe('category_not_found')
  const tooMany = Array.from({ length: 11 }, (_, n) => `c-${n}`)
  expect(await save(first, { categories: tooMany })).toBe(400)
  expect(await read(first)).toEqual(before)
})

test('a bulk edit sets categories and moods of many tracks', async () => {
  const changes = [first, second].map((id) => ({
    id,
    categories: ['study', 'focus'],
    moods: ['Calm', 'calm', 'Late  Night'],
  }))
  expect((await admin.call(updateAdminTracks, { body: { changes } })).status).toBe(200)
  for (const id of [first, second]) {
    expect(await read(id)).toMatchObject({
      category: 'study',
      categories: ['study', 'focus'],
      moods: ['Calm', 'Late Night'],
    })
  }
  expect(await listed({ mood: 'Late Night' })).toEqual([first, second].toSorted())
  expect(await listed({ mood: 'Late Night', category: 'focus', q: 'Track 1' })).toEqual([first])
  expect(await listed({ mood: 'Loud' })).toEqual([])
})

test('search also matches other categories and moods, ranked after titles', async () => {
  await save(first, { categories: ['focus', 'sleep'], moods: ['Träumerisch'] })
  await save(second, { title: 'Sleep' })
  expect(await listed({ q: 'traumer' })).toEqual([first])
  const found = (await member.call(listTracks, { query: { q: 'sleep' } })).body.data
  expect(found.map(({ id }) => id)).toEqual([second, first])
  const byAdmin = await admin.call(listAdminTracks, { query: { q: 'TRÄUM' } })
  expect(byAdmin.body.data.map(({ id }) => id)).toEqual([first])
})

test("deleting a category keeps the tracks' other categories; restoring it restores its position on them", async () => {
  await save(first, { categories: ['focus', 'sleep', 'study'] })
  await save(second, { categories: ['sleep', 'focus'] })
  await save(third, { categories: ['focus', 'study'] })
  const id = await categoryId('focus')
  await admin.call(deleteCategory, { params: { id } })
  expect(await read(first)).toMatchObject({ category: 'sleep', categories: ['sleep', 'study'] })
  expect((await read(second)).categories).toEqual(['sleep'])
  expect(await counts(admin)).toEqual({ sleep: 2, study: 2 })
  // This track is edited after the category was deleted, so restoring the category does not change it.
  await save(third, { categories: ['sleep'] })
  await admin.call(restoreCategory, { params: { id } })
  expect(await read(first)).toMatchObject({
    category: 'focus',
    categories: ['focus', 'sleep', 'study'],
  })
  expect((await read(second)).categories).toEqual(['sleep', 'focus'])
  expect((await read(third)).categories).toEqual(['sleep'])
  await expect.poll(() => listed({ category: 'focus' })).toEqual([first, second].toSorted())
})

test("renaming a category's slug renames it on all tracks", async () => {
  await save(first, { categories: ['focus', 'sleep'] })
  await save(second, { categories: ['sleep', 'focus'] })
  await app.services.db.query
    .updateTable('category_metadata')
    .set({ category: 'deep-sleep' })
    .where('category', '=', 'sleep')
    .execute()
  expect((await read(first)).categories).toEqual(['focus', 'deep-sleep'])
  expect((await read(second)).categories).toEqual(['deep-sleep', 'focus'])
  await expect.poll(() => listed({ category: 'deep-sleep' })).toEqual([first, second].toSorted())
})

test("changing categories or moods increments the track's version and updates cached lists", async () => {
  const track = async () =>
    (await member.call(listTracks, {})).body.data.find(({ id }) => id === first)
  await save(first, { categories: ['focus'] })
  const { version } = await read(first)
  await expect.poll(async () => (await track())?.categories).toEqual(['focus'])
  await save(first, { categories: ['focus', 'study'] })
  await expect.poll(async () => (await track())?.categories).toEqual(['focus', 'study'])
  await save(first, { moods: ['calm'] })
  await expect.poll(async () => (await track())?.moods).toEqual(['calm'])
  expect((await read(first)).version).toBe(version + 2)
})
