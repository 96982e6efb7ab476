// Playlists over HTTP: what members may do with their own playlists and with those of others.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createPlaylist,
  deletePlaylist,
  getPlaylist,
  listPlaylists,
  listPlaylistTracks,
  updatePlaylist,
} from '#contract/playlists.ts'
import {
  createFeatureApp,
  makeTracks,
  type FeatureApp,
  type Person,
} from '../../testing/feature-app.ts'
import { playlistRoutes } from './playlist-routes.ts'

let app: FeatureApp
let free: Person
let premium: Person

beforeAll(async () => {
  app = await createFeatureApp((route, { pictures }) => playlistRoutes(route, pictures))
  free = await app.makePerson()
  premium = await app.makePerson({ premium: true })
})
afterAll(() => app.close())

async function make(person: Person, title = 'Evening', more: { is_public?: boolean } = {}) {
  return (await person.call(createPlaylist, { body: { title, ...more } })).body
}

/** Inserts a curated playlist into the database without the API. */
async function makeCurated(title: string, is_visible: boolean): Promise<string> {
  const { id } = await app.db.query
    .insertInto('playlists')
    .values({ title, is_curated: true, is_visible, created_by: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

describe('creating a playlist', () => {
  test('creates a private, empty playlist that is not curated', async () => {
    const person = await app.makePerson()
    const { status, body } = await person.call(createPlaylist, {
      body: { title: '  Late light  ', description: ' slow ' },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      title: 'Late light',
      description: 'slow',
      is_public: false,
      is_curated: false,
      is_own: true,
      created_by: person.id,
      track_count: 0,
      duration: 0,
      mosaic: [],
      cover_url: null,
    })
  })

  test('requires a title that is not blank', async () => {
    const response = await free.call(createPlaylist, { body: { title: '   ' } })
    expect(response).toMatchObject({ status: 400, code: 'invalid_input' })
  })

  test.each([
    [{}],
    [{ title: 7 }],
    [{ title: 'x'.repeat(201) }],
    [{ title: 'a', is_public: 'yes' }],
    [{ title: 'a', description: 3 }],
    [[]],
  ])('returns 400 for %j', async (body) => {
    expect(await free.send('POST', '/api/playlists', body)).toMatchObject({ status: 400 })
  })

  test('allows one playlist with a free plan, and any number with Premium', async () => {
    const person = await app.makePerson()
    await make(person)
    const second = await person.call(createPlaylist, { body: { title: 'Second' } })
    expect(second).toMatchObject({ status: 403, code: 'playlist_limit_reached' })
    await person.setPremium(true)
    expect(await person.call(createPlaylist, { body: { title: 'Second' } })).toMatchObject({
      status: 201,
    })
  })

  test('requires a signed-in person', async () => {
    const response = await app.signedOut.call(createPlaylist, { body: { title: 'x' } })
    expect(response).toMatchObject({ status: 401, code: 'unauthenticated' })
  })
})

describe('opening a playlist', () => {
  test('returns 404 for another member’s private playlist; a public one is read-only', async () => {
    const hidden = await make(premium, 'Private')
    expect(await free.call(getPlaylist, { params: hidden })).toMatchObject({
      code: 'playlist_not_found',
    })
    expect(await free.call(listPlaylistTracks, { params: hidden })).toMatchObject({ status: 404 })

    const open = await make(premium, 'Public', { is_public: true })
    expect((await free.call(getPlaylist, { params: open })).body).toMatchObject({ is_own: false })
    const change = await free.call(updatePlaylist, { params: open, body: { title: 'Mine now' } })
    expect(change).toMatchObject({ status: 404, code: 'playlist_not_found' })
    expect(await free.call(deletePlaylist, { params: open })).toMatchObject({ status: 404 })
  })

  test('opens curated playlists while they are visible, and returns no owner', async () => {
    const shown = await makeCurated('House picks', true)
    const hidden = await makeCurated('Not yet', false)
    const { body } = await free.call(getPlaylist, { params: { id: shown } })
    expect(body).toMatchObject({ is_curated: true, is_own: false, created_by: null })
    expect(await free.call(getPlaylist, { params: { id: hidden } })).toMatchObject({ status: 404 })
  })

  test('hides a playlist that an admin has hidden from others, but not from its owner', async () => {
    const { id } = await make(premium, 'Hidden by the house', { is_public: true })
    await app.db.query
      .updateTable('playlists')
      .set({ is_visible: false })
      .where('id', '=', id)
      .execute()
    expect(await free.call(getPlaylist, { params: { id } })).toMatchObject({ status: 404 })
    expect(await premium.call(getPlaylist, { params: { id } })).toMatchObject({ status: 200 })
  })

  test('returns 404 for a malformed id', async () => {
    expect(await free.send('GET', '/api/playlists/seven')).toMatchObject({ status: 404 })
  })

  test('returns count, duration and covers of the published tracks', async () => {
    const tracks = await makeTracks(app.db, 6)
    const { id } = await make(premium, 'Six')
    await premium.call(updatePlaylist, { params: { id }, body: { track_ids: tracks } })
    const image = await app.db.query
      .insertInto('images')
      .values({
        kind: 'cover',
        tint: '#112233',
        placeholder: 'data:image/webp;base64,AA',
        width: 9,
        height: 9,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await app.db.query
      .updateTable('tracks')
      .set({ cover_id: image.id })
      .where('id', 'in', [tracks[1]!, tracks[5]!])
      .execute()
    await app.db.query
      .updateTable('tracks')
      .set({ is_published: false })
      .where('id', '=', tracks[0]!)
      .execute()
    const { body } = await premium.call(getPlaylist, { params: { id } })
    // The tracks have durations of 101 to 106 seconds; the first track was deleted.
    expect(body).toMatchObject({ track_count: 5, duration: 102 + 103 + 104 + 105 + 106 })
    expect(body.mosaic).toEqual([`/media/covers/${image.id}/384.webp`])
  })
})

describe('listing playlists', () => {
  test('returns the member’s own playlists newest first, paginated, each exactly once', async () => {
    const person = await app.makePerson({ premium: true })
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.unshift((await make(person, `List ${i}`)).id)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { body } = await person.call(listPlaylists, {
        query: { limit: 2, ...(cursor && { cursor }) },
      })
      seen.push(...body.data.map((playlist) => playlist.id))
      cursor = body.next_cursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(made)
  })

  test('returns only the playlists of the requested scope', async () => {
    const [owner, reader] = [
      await app.makePerson({ premium: true }),
      await app.makePerson({ premium: true }),
    ]
    const open = await make(owner, 'Scope open', { is_public: true })
    await make(owner, 'Scope closed')
    const mine = await make(reader, 'Scope mine', { is_public: true })
    const house = await makeCurated('Scope house', true)
    await makeCurated('Scope hidden', false)
    const ids = async (scope: 'own' | 'curated' | 'public') =>
      (await reader.call(listPlaylists, { query: { scope, q: 'scope' } })).body.data.map(
        (p) => p.id,
      )
    expect(await ids('own')).toEqual([mine.id])
    expect(await ids('public')).toEqual([open.id])
    expect(await ids('curated')).toEqual([house])
  })

  test('searches for a substring in any case, and treats % and _ literally', async () => {
    const person = await app.makePerson({ premium: true })
    await make(person, '100% Velvet')
    await make(person, 'Other')
    const titles = async (q: string) =>
      (await person.call(listPlaylists, { query: { q } })).body.data.map((p) => p.title)
    expect(await titles('vELv')).toEqual(['100% Velvet'])
    expect(await titles('0% v')).toEqual(['100% Velvet'])
    expect(await titles('1%V')).toEqual([])
    expect(await titles('_')).toEqual([])
  })

  test.each(['limit=0', 'limit=many', 'scope=all', 'cursor=nonsense'])(
    'returns 400 for the query ?%s',
    async (query) => {
      expect(await free.send('GET', `/api/playlists?${query}`)).toMatchObject({
        status: 400,
        code: 'invalid_input',
      })
    },
  )
})

describe('updating and deleting a playlist', () => {
  test('changes only the given fields, and stores an empty description as null', async () => {
    const { id } = await make(premium, 'Before')
    await premium.call(updatePlaylist, {
      params: { id },
      body: { description: 'Words', is_public: true },
    })
    const { body } = await premium.call(updatePlaylist, {
      params: { id },
      body: { title: ' After ' },
    })
    expect(body).toMatchObject({ title: 'After', description: 'Words', is_public: true })
    const cleared = await premium.call(updatePlaylist, {
      params: { id },
      body: { description: ' ' },
    })
    expect(cleared.body.description).toBeNull()
  })

  test('a request with a refused track changes neither the title nor the order', async () => {
    const [track] = await makeTracks(app.db, 1)
    const { id } = await make(premium, 'Whole')
    await premium.call(updatePlaylist, { params: { id }, body: { track_ids: [track!] } })
    const refused = await premium.call(updatePlaylist, {
      params: { id },
      body: { title: 'Half', track_ids: [track!, crypto.randomUUID()] },
    })
    expect(refused).toMatchObject({ status: 404, code: 'track_not_found' })
    expect((await premium.call(getPlaylist, { params: { id } })).body).toMatchObject({
      title: 'Whole',
      track_count: 1,
    })
  })

  test('refuses to change curated playlists, even for the admin who created them', async () => {
    const admin = await app.makePerson({ admin: true })
    const id = await makeCurated('By an admin', true)
    await app.db.query
      .updateTable('playlists')
      .set({ created_by: admin.id })
      .where('id', '=', id)
      .execute()
    expect((await admin.call(getPlaylist, { params: { id } })).body.is_own).toBe(false)
    expect(await admin.call(deletePlaylist, { params: { id } })).toMatchObject({
      code: 'playlist_not_found',
    })
  })

  test('a deleted playlist no longer counts against the limit', async () => {
    const person = await app.makePerson()
    const { id } = await make(person)
    expect(await person.call(deletePlaylist, { params: { id } })).toMatchObject({ status: 204 })
    expect(await person.call(deletePlaylist, { params: { id } })).toMatchObject({
      code: 'playlist_not_found',
    })
    expect(await person.call(createPlaylist, { body: { title: 'Again' } })).toMatchObject({
      status: 201,
    })
  })
})
