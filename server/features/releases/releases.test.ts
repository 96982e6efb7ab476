// Release operations for members, over HTTP.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createRelease,
  publishRelease,
  unpublishRelease,
  updateRelease,
} from '#contract/admin/admin-releases.ts'
import { getRelease, likeRelease, listReleases, unlikeRelease } from '#contract/releases.ts'
import { getTrack, listTracks } from '#contract/tracks.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person
let member: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  member = await app.makePerson()
})
afterAll(() => app.close())

const db = () => app.services.db

async function makeRelease(
  title: string,
  trackIds: string[],
  fields: Record<string, unknown> = {},
): Promise<string> {
  const tracks = trackIds.map((track_id) => ({ track_id }))
  const { body } = await admin.call(createRelease, { body: { title, tracks, ...fields } })
  const published = await admin.call(publishRelease, { params: { id: body.id }, body: {} })
  expect(published.status).toBe(200)
  return body.id
}

const openRelease = (id: string, who = member) => who.call(getRelease, { params: { id } })
const list = async (query: Record<string, string> = {}) =>
  (await member.call(listReleases, { query })).body

describe('a release', () => {
  test('is returned by id and by slug, with its tracks in order', async () => {
    const [one, two, three] = await makeTracks(db(), 3, { prefix: 'Song' })
    const id = await makeRelease('Night Drive', [three!, one!, two!], {
      kind: 'album',
      release_date: '2026-02-03',
      label: 'Velour Records',
      upc: '036000291452',
    })
    const { body } = await openRelease('night-drive')
    expect(body).toMatchObject({
      id,
      kind: 'album',
      title: 'Night Drive',
      slug: 'night-drive',
      release_date: '2026-02-03',
      label: 'Velour Records',
      upc: '036000291452',
      track_count: 3,
      duration: 306,
      is_liked: false,
    })
    expect(body.tracks.map((track) => [track.id, track.disc, track.position])).toEqual([
      [three, 1, 1],
      [one, 1, 2],
      [two, 1, 3],
    ])
    expect((await openRelease(id)).body).toEqual(body)
  })

  test('is also returned by its former slugs', async () => {
    const id = await makeRelease('Old Name', await makeTracks(db(), 1))
    await admin.call(updateRelease, { params: { id }, body: { slug: 'new-name' } })
    expect((await openRelease('old-name')).body.slug).toBe('new-name')
    expect((await openRelease('new-name')).body.id).toBe(id)
    // Change the slug back to the first one.
    await admin.call(updateRelease, { params: { id }, body: { slug: 'old-name' } })
    expect((await openRelease('new-name')).body.slug).toBe('old-name')
  })

  test('returns release_not_found before it is published and after it is unpublished', async () => {
    const [track] = await makeTracks(db(), 1)
    const body = { title: 'Secret', tracks: [{ track_id: track! }] }
    const { id } = (await admin.call(createRelease, { body })).body
    const like = () => member.call(likeRelease, { params: { id } })
    const expectHidden = async () => {
      expect((await openRelease(id)).code).toBe('release_not_found')
      expect((await openRelease('secret')).code).toBe('release_not_found')
      expect((await openRelease('secret', admin)).code).toBe('release_not_found')
      expect((await like()).code).toBe('release_not_found')
      expect((await list({ q: 'secret' })).data).toEqual([])
      expect((await member.call(getTrack, { params: { id: track! } })).body.release).toBeNull()
    }
    await expectHidden()
    await admin.call(publishRelease, { params: { id }, body: {} })
    expect((await openRelease('secret')).status).toBe(200)
    await admin.call(unpublishRelease, { params: { id } })
    await expectHidden()
  })

  test('omits unpublished tracks without gaps in the numbers, and is hidden when no track is left', async () => {
    const [one, two, three] = await makeTracks(db(), 3)
    const id = await makeRelease('Gaps', [one!, two!, three!])
    const hide = (track: string) =>
      db()
        .query.updateTable('tracks')
        .set({ is_published: false })
        .where('id', '=', track)
        .execute()
    await hide(two!)
    const { body } = await openRelease(id)
    expect(body.tracks.map((track) => [track.id, track.position])).toEqual([
      [one, 1],
      [three, 2],
    ])
    expect(body.track_count).toBe(2)
    await hide(one!)
    await hide(three!)
    expect((await openRelease(id)).code).toBe('release_not_found')
    expect((await list({ q: 'gaps' })).data).toEqual([])
  })

  test('returns an album loudness, which is the mean energy of its tracks', async () => {
    const [one, two] = await makeTracks(db(), 2)
    await sql`update tracks set duration = 100, loudness_lufs = -10, true_peak_dbtp = -1 where id = ${one}`.execute(
      db().query,
    )
    const id = await makeRelease('Loud and quiet', [one!, two!])
    expect((await openRelease(id)).body.album_loudness_lufs).toBeCloseTo(-10, 3)
    await sql`update tracks set duration = 300, loudness_lufs = -20, true_peak_dbtp = 0.5 where id = ${two}`.execute(
      db().query,
    )
    const { album_loudness_lufs, album_true_peak_dbtp } = (await openRelease(id)).body
    // 10 · log10((100 · 0.1 + 300 · 0.01) / 400)
    expect(album_loudness_lufs).toBeCloseTo(-14.881, 2)
    expect(album_true_peak_dbtp).toBeCloseTo(0.5, 3)
  })

  test('is credited to the artists that all its tracks have in common', async () => {
    const ids = await makeTracks(db(), 2)
    await sql`update tracks set artist = 'Mira Holt' where id = any (${ids})`.execute(db().query)
    const shared = (await openRelease(await makeRelease('By one', ids))).body
    expect(shared.artist).toBe('Mira Holt')
    expect(shared.artists).toMatchObject([{ name: 'Mira Holt', slug: 'mira-holt' }])
    const mixed = (await openRelease(await makeRelease('By many', await makeTracks(db(), 2)))).body
    expect(mixed.artist).toBe('Various Artists')
    const artists = [{ name: 'Ada', joiner: ' & ' }, { name: 'Mira Holt' }]
    const named = await makeRelease('By two', await makeTracks(db(), 1), { artists })
    expect((await openRelease(named)).body.artist).toBe('Ada & Mira Holt')
    await sql`update artists set name = 'Ada Lunn' where name = 'Ada'`.execute(db().query)
    expect((await openRelease(named)).body.artist).toBe('Ada Lunn & Mira Holt')
  })
})

describe('the list of releases', () => {
  test('returns each release once across pages, newest first', async () => {
    for (const [title, release_date] of [
      ['Paged one', '2031-01-01'],
      ['Paged two', '2031-01-02'],
      ['Paged three', '2031-01-02'],
    ] as const) {
      await makeRelease(title, await makeTracks(db(), 1), { release_date })
    }
    const titles: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: { data: { title: string }[]; next_cursor: string | null } = await list({
        limit: '2',
        ...(cursor && { cursor }),
      })
      titles.push(...page.data.map(({ title }) => title))
      cursor = page.next_cursor
    }
    const all = (await list()).data.map(({ title }) => title)
    expect(titles).toEqual(all)
    expect(titles.slice(0, 3)).toEqual(['Paged three', 'Paged two', 'Paged one'])
    expect(new Set(titles).size).toBe(titles.length)
  })

  test('searches title, artist and label, with the best match first', async () => {
    const [one, two] = await makeTracks(db(), 2)
    await makeRelease('Söder Lights', [one!], { label: 'Quiet Press' })
    await makeRelease('Lights', [two!])
    const found = async (q: string) => (await list({ q })).data.map(({ title }) => title)
    expect(await found('lights')).toEqual(['Lights', 'Söder Lights'])
    expect(await found('soder')).toEqual(['Söder Lights'])
    expect(await found('quiet press')).toEqual(['Söder Lights'])
    expect(await found('no such release')).toEqual([])
  })

  test('filters by kind, artist and likes', async () => {
    const ids = await makeTracks(db(), 2)
    const artists = [{ name: 'Filtered Artist' }]
    const ep = await makeRelease('Filtered EP', [ids[0]!], { kind: 'ep', artists })
    await makeRelease('Filtered album', [ids[1]!], { kind: 'album', artists })
    const artist = (await openRelease(ep)).body.artists[0]!.id
    const titles = async (query: Record<string, string>) =>
      (await list({ artist, ...query })).data.map(({ title }) => title).toSorted()
    expect(await titles({})).toEqual(['Filtered EP', 'Filtered album'])
    expect(await titles({ kind: 'ep' })).toEqual(['Filtered EP'])
    expect(await titles({ liked: 'true' })).toEqual([])
    await member.call(likeRelease, { params: { id: ep } })
    await member.call(likeRelease, { params: { id: ep } })
    expect(await titles({ liked: 'true' })).toEqual(['Filtered EP'])
    expect((await openRelease(ep)).body.is_liked).toBe(true)
    expect((await openRelease(ep, admin)).body.is_liked).toBe(false)
    await member.call(unlikeRelease, { params: { id: ep } })
    expect(await titles({ liked: 'true' })).toEqual([])
  })

  test('rejects an invalid cursor', async () => {
    const response = await member.call(listReleases, { query: { cursor: 'nonsense' } })
    expect(response.code).toBe('invalid_input')
  })
})

test("track lists show each track's first published release immediately", async () => {
  const [track] = await makeTracks(db(), 1, { prefix: 'Twice' })
  const first = async () =>
    (await member.call(listTracks, { query: {} })).body.data.find(({ id }) => id === track)?.release
  expect(await first()).toBeNull()
  const album = await makeRelease('Twice Album', [track!], {
    kind: 'album',
    release_date: '2026-05-01',
  })
  await expect.poll(first).toEqual({
    id: album,
    title: 'Twice Album',
    slug: 'twice-album',
    kind: 'album',
  })
  await makeRelease('Twice Single', [track!], { kind: 'single', release_date: '2026-04-01' })
  await expect.poll(async () => (await first())?.title).toBe('Twice Single')
})

test('visitors get 401 for releases', async () => {
  for (const path of ['/api/releases', '/api/releases/night-drive']) {
    expect((await fetch(`${app.url}${path}`)).status).toBe(401)
  }
})
