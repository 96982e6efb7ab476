// Tests how typed names and texts are cleaned, both in the response and in the database.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let member: Person
let admin: Person
beforeAll(async () => {
  app = await createTestApp()
  member = await app.makePerson({ tier: 'premium' })
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

const hidden = 'Ada\u001B[31m\n\u202Enimda\u200B'
const clean = 'Ada [31m nimda'

test('removes invisible characters from a display name set by its owner or by an admin', async () => {
  const own = await member.send('PATCH', '/api/profile', { body: { display_name: hidden } })
  expect(own.body).toMatchObject({ display_name: clean })
  const read = await member.send('GET', '/api/profile')
  expect(read.body).toMatchObject({ data: { display_name: clean } })
  const path = `/api/admin-users/${member.id}`
  const named = await admin.send('PATCH', path, { body: { display_name: `${hidden}!` } })
  expect(named.status).toBe(200)
  const readName = async () => (await member.send('GET', '/api/profile')).body
  await expect.poll(readName).toMatchObject({ data: { display_name: `${clean}!` } })
})

test('also removes them from playlist titles, category names and genre names', async () => {
  const playlist = await member.send('POST', '/api/playlists', { body: { title: hidden } })
  expect(playlist.body).toMatchObject({ title: clean })
  const category = { category: 'hidden', display_name: hidden }
  await admin.send('POST', '/api/admin-categories', { body: category })
  const categories = await admin.send('GET', '/api/admin-categories')
  expect(JSON.stringify(categories.body)).toContain(`"display_name":"${clean}"`)
  await admin.send('POST', '/api/admin-genres', { body: { name: hidden } })
  const genres = await admin.send('GET', '/api/admin-genres')
  expect(JSON.stringify(genres.body)).toContain(`"name":"${clean}"`)
})

test('refuses a title of invisible characters as missing', async () => {
  const response = await member.send('POST', '/api/playlists', { body: { title: '\u200B\u202E' } })
  expect([response.status, response.code]).toEqual([400, 'invalid_input'])
})

test('returns a lone surrogate as it is stored in the database', async () => {
  const body = { title: 'A \uD800x', description: 'One\n\uDC00 two \\ud800' }
  const made = await member.send('POST', '/api/playlists', { body })
  const kept = { title: 'A \uFFFDx', description: 'One\n\uFFFD two \\ud800' }
  expect(made.body).toMatchObject(kept)
  const { id } = made.body as { id: string }
  expect((await member.send('GET', `/api/playlists/${id}`)).body).toMatchObject(kept)
})
