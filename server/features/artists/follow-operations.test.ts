import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mergeArtists } from '#contract/admin/admin-artists.ts'
import { followArtist, getArtist, listArtists, unfollowArtist } from '#contract/artists.ts'
import { getHome } from '#contract/home.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let member: Person

beforeAll(async () => {
  app = await createTestApp()
  member = await app.makePerson()
})
afterAll(() => app.close())

/** Creates an artist with one track, and returns the artist's id. */
async function makeArtist(name: string, isPublished = true): Promise<string> {
  const { query } = app.services.db
  const values = { title: 'Song', artist: name, is_published: isPublished }
  await query
    .insertInto('tracks')
    .values({ ...values, processing_status: 'ready' })
    .execute()
  const artist = query.selectFrom('artists').select('id').where('name', '=', name)
  return (await artist.executeTakeFirstOrThrow()).id
}
const follow = (who: Person, id: string) => who.call(followArtist, { params: { id } })
const followedBy = async (who: Person) =>
  (await who.call(listArtists, { query: { followed: 'true' } })).body.data.map(({ name }) => name)

test('following or unfollowing an artist twice has the same result as once', async () => {
  const id = await makeArtist('Ada')
  await makeArtist('Bo')
  const artist = async () => (await member.call(getArtist, { params: { id } })).body
  expect((await artist()).is_followed).toBe(false)
  expect((await follow(member, id)).status).toBe(204)
  expect((await follow(member, id)).status).toBe(204)
  expect((await artist()).is_followed).toBe(true)
  expect(await followedBy(member)).toEqual(['Ada'])
  const home = (await member.call(getHome, {})).body
  expect(home.artists.map(({ name }) => name)).toEqual(['Ada'])
  const other = await app.makePerson()
  expect(await followedBy(other)).toEqual([])
  for (let time = 0; time < 2; time += 1) {
    expect((await member.call(unfollowArtist, { params: { id } })).status).toBe(204)
  }
  expect(await followedBy(member)).toEqual([])
})

test('returns artist_not_found for artists that members cannot see', async () => {
  const draft = await makeArtist('Drafts only', false)
  expect((await follow(member, draft)).code).toBe('artist_not_found')
  expect((await follow(member, randomUUID())).code).toBe('artist_not_found')
  expect((await app.nobody.call(followArtist, { params: { id: draft } })).code).toBe(
    'unauthenticated',
  )
})

test('rejects more than 2,000 followed artists, even with concurrent requests', async () => {
  const person = await app.makePerson()
  await sql`insert into artists (name, slug)
    select 'Many ' || n, 'many-' || n from generate_series(1, 1999) n`.execute(
    app.services.db.query,
  )
  await sql`insert into followed_artists (user_id, artist_id)
    select ${person.id}, id from artists where slug like 'many-%'`.execute(app.services.db.query)
  const ids = await Promise.all([makeArtist('Last'), makeArtist('One too many')])
  const responses = await Promise.all(ids.map((id) => follow(person, id)))
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 403])
})

test("following an artist notifies the member's other devices", async () => {
  const received: string[] = []
  const stop = app.services.bus.on('follows', (id) => received.push(id))
  await follow(member, await makeArtist('Live'))
  await app.services.bus.catchUp()
  stop()
  expect(received).toEqual([member.id])
})

test('followers of a merged artist follow the remaining artist', async () => {
  const person = await app.makePerson()
  const [from, to] = [await makeArtist('Old Name'), await makeArtist('New Name')]
  await follow(person, from)
  const admin = await app.makePerson({ role: 'admin' })
  await admin.call(mergeArtists, { params: { id: to }, body: { artist_ids: [from] } })
  expect(await followedBy(person)).toEqual(['New Name'])
})
