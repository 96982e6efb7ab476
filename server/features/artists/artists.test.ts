// Artists and credits: what members see, and how renames, merges and splits change tracks.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as admin from '#contract/admin/admin-artists.ts'
import { getAdminTrack, updateAdminTrack } from '#contract/admin/admin-tracks.ts'
import { getArtist, listArtists } from '#contract/artists.ts'
import { getTrack, listTracks } from '#contract/tracks.ts'
import { purgeArtistUndos } from './artist-undo.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let owner: Person
let member: Person

beforeAll(async () => {
  app = await createTestApp()
  owner = await app.makePerson({ role: 'admin' })
  member = await app.makePerson()
})
afterAll(() => app.close())

/** Inserts a track without credits, as the previous version of Velour does. */
async function makeTrack(artist: string, { published = true } = {}): Promise<string> {
  const { id } = await app.services.db.query
    .insertInto('tracks')
    .values({ title: 'Song', artist, is_published: published, processing_status: 'ready' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const trackOf = async (id: string) => (await owner.call(getAdminTrack, { params: { id } })).body
const artistOf = async (trackId: string) => (await trackOf(trackId)).artists[0]!
const readArtistLine = async (id: string) => (await trackOf(id)).artist
const save = (id: string, body: object) =>
  owner.call(updateAdminTrack, { params: { id }, body: body as never })

test('creates one main artist from an artist text without credits, and finds it by name the next time', async () => {
  const [one, two] = [await makeTrack('AC/DC & Friends'), await makeTrack('AC/DC & Friends')]
  const artist = await artistOf(one)
  expect(artist).toEqual({
    id: expect.any(String),
    name: 'AC/DC & Friends',
    slug: 'ac-dc-friends',
    role: 'main',
    credited_as: null,
    joiner: '',
  })
  expect((await artistOf(two)).id).toBe(artist.id)
  const { body } = await member.call(listTracks, {})
  expect(body.data.find(({ id }) => id === one)?.artists).toEqual([artist])
  expect((await member.call(getTrack, { params: { id: one } })).body.artists).toEqual([artist])
})

test('fifty concurrent uploads with the same new names create one artist per name', async () => {
  const names = ['Race A', 'Race B', 'Race C']
  await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      sql`insert into tracks (title, artist) select 'Race', n from unnest(${
        at % 2 ? names : names.toReversed()
      }::text[]) n`.execute(app.services.db.query),
    ),
  )
  const { rows } = await sql<{ name: string; count: number }>`
    select a.name, count(*) as count from artists a join track_credits c on c.artist_id = a.id
     where a.name like 'Race _' group by 1 order by 1`.execute(app.services.db.query)
  expect(rows).toEqual(names.map((name) => ({ name, count: 50 })))
})

test.each([
  ['Mira Holt', 'mira-holt'],
  ['Süße Träume', 'susse-traume'],
  ['Ночь', 'noch'],
  ['夜', 'u591c'],
  ['!!!', /^artist-[0-9a-f]{8}$/],
  ['MIRA HOLT', 'mira-holt-2'],
])("derives an artist's slug: %s", async (name, slug) => {
  const found = (await artistOf(await makeTrack(name))).slug
  if (typeof slug === 'string') expect(found).toBe(slug)
  else expect(found).toMatch(slug)
})

test('saves credits in order, builds the artist line, and finds or creates artists', async () => {
  const id = await makeTrack('Solo')
  const solo = await artistOf(id)
  const { status, body } = await save(id, {
    artists: [
      { name: 'Words By', role: 'composer' },
      { artist_id: solo.id, role: 'main', joiner: ' & ' },
      { name: 'Second', role: 'main' },
      { name: 'Guest', role: 'featured', credited_as: 'The Guest' },
    ],
  })
  expect(status).toBe(200)
  expect(body.artist).toBe('Solo & Second feat. The Guest')
  expect(body.artists.map(({ name, role }) => `${role} ${name}`)).toEqual([
    'main Solo',
    'main Second',
    'featured Guest',
    'composer Words By',
  ])
  const listed = (await member.call(listTracks, { query: { artist: solo.id } })).body.data
  expect(listed.map((track) => track.id)).toEqual([id])
  expect(listed[0]!.artists.map(({ name }) => name)).toEqual(['Solo', 'Second', 'Guest'])
  // A client that sends only the artist text gets one main artist. Credits outside the artist line are kept.
  const text = (await save(id, { artist: 'Somebody' })).body
  expect(text.artists.map(({ name, role }) => `${role} ${name}`)).toEqual([
    'main Somebody',
    'composer Words By',
  ])
})

test("changing credits outside the artist line increments the track's version", async () => {
  const id = await makeTrack('Versions')
  const { version, artists } = await trackOf(id)
  const main = { artist_id: artists[0]!.id, role: 'main' }
  const saved = await save(id, { artists: [main, { name: 'Poet', role: 'lyricist' }], version })
  expect(saved.body.version).toBeGreaterThan(version)
  expect((await save(id, { artists: [main], version })).code).toBe('changed_meanwhile')
  const again = await save(id, { artists: [main, { name: 'Poet', role: 'lyricist' }] })
  expect(again.body.version).toBe(saved.body.version)
})

test.each([
  ['without a main artist', [{ name: 'Only', role: 'featured' }], 'invalid_input'],
  [
    'with an unknown artist',
    [{ artist_id: crypto.randomUUID(), role: 'main' }],
    'artist_not_found',
  ],
  ['with neither id nor name', [{ role: 'main' }], 'invalid_input'],
  [
    'with a line over 200 characters',
    [
      { name: 'x'.repeat(150), role: 'main' },
      { name: 'y'.repeat(60), role: 'featured' },
    ],
    'artist_line_too_long',
  ],
])('rejects credits %s', async (_, artists, code) => {
  const id = await makeTrack('Refused')
  expect((await save(id, { artists })).code).toBe(code)
  expect(await readArtistLine(id)).toBe('Refused')
})

test('a rename updates the tracks, and the former name and slug still find the artist', async () => {
  const id = await makeTrack('Old Name')
  const { id: artist_id, slug } = await artistOf(id)
  await member.call(listTracks, {})
  const body = { name: 'New Name', slug: 'new-name' }
  expect((await owner.call(admin.updateArtist, { params: { id: artist_id }, body })).status).toBe(
    200,
  )
  expect(await readArtistLine(id)).toBe('New Name')
  await expect
    .poll(
      async () =>
        (await member.call(listTracks, {})).body.data.find((track) => track.id === id)?.artists[0],
    )
    .toMatchObject(body)
  expect((await member.call(getArtist, { params: { id: slug } })).body.slug).toBe('new-name')
  const later = await makeTrack('Old Name')
  expect(await trackOf(later)).toMatchObject({ artist: 'New Name', artists: [{ id: artist_id }] })
  const other = await owner.call(admin.createArtist, { body: { name: 'Other', slug } })
  expect(other.code).toBe('artist_slug_taken')
  const twin = await owner.call(admin.createArtist, { body: { name: 'New Name' } })
  expect(twin.code).toBe('artist_exists')
})

test('a rename that makes an artist line too long is rejected and changes nothing', async () => {
  const id = await makeTrack('Long')
  const { id: artist_id } = await artistOf(id)
  await save(id, {
    artists: [
      { artist_id, role: 'main' },
      { name: 'z'.repeat(180), role: 'featured' },
    ],
  })
  const renamed = await owner.call(admin.updateArtist, {
    params: { id: artist_id },
    body: { name: 'Long but longer' },
  })
  expect(renamed.code).toBe('artist_line_too_long')
  expect((await artistOf(id)).name).toBe('Long')
})

test('merges artists, and undoes the merge', async () => {
  const both = await makeTrack('Merge A')
  const single = await makeTrack('Merge B')
  const [a, b] = [await artistOf(both), await artistOf(single)]
  await save(both, {
    artists: [
      { artist_id: a.id, role: 'main', joiner: ' & ' },
      { artist_id: b.id, role: 'main' },
      { name: 'Merge C', role: 'featured' },
    ],
  })
  const merged = await owner.call(admin.mergeArtists, {
    params: { id: a.id },
    body: { artist_ids: [b.id] },
  })
  expect(merged.body.data).toMatchObject({ id: a.id, aliases: ['Merge B'], track_count: 2 })
  expect(await readArtistLine(both)).toBe('Merge A feat. Merge C')
  expect(await readArtistLine(single)).toBe('Merge A')
  for (const id of [b.id, b.slug]) {
    expect((await member.call(getArtist, { params: { id } })).body.id).toBe(a.id)
  }
  expect((await artistOf(await makeTrack('Merge B'))).id).toBe(a.id)
  const undo = { params: { id: merged.body.undo_id } }
  expect((await owner.call(admin.undoArtistChange, undo)).body.aliases).toEqual([])
  expect(await readArtistLine(both)).toBe('Merge A & Merge B feat. Merge C')
  expect(await readArtistLine(single)).toBe('Merge B')
  expect((await member.call(getArtist, { params: { id: b.slug } })).body.id).toBe(b.id)
  expect((await owner.call(admin.undoArtistChange, undo)).code).toBe('undo_expired')
})

test('a merge cannot be undone after its tracks have changed or after a minute', async () => {
  const one = await makeTrack('Late A')
  const [a, b] = [await artistOf(one), await artistOf(await makeTrack('Late B'))]
  const merge = async () =>
    (await owner.call(admin.mergeArtists, { params: { id: b.id }, body: { artist_ids: [a.id] } }))
      .body
  const { undo_id } = await merge()
  await save(one, { artist: 'Late C' })
  const undo = () => owner.call(admin.undoArtistChange, { params: { id: undo_id } })
  expect((await undo()).code).toBe('undo_expired')
  await sql`update artist_undos set undo_until = now()`.execute(app.services.db.query)
  expect((await undo()).code).toBe('undo_expired')
  await purgeArtistUndos(app.services.db)
  expect(await app.services.db.query.selectFrom('artist_undos').selectAll().execute()).toEqual([])
})

test('undoing a merge restores the credits of releases, except those edited since', async () => {
  const { db } = app.services
  const [a, b] = [
    await artistOf(await makeTrack('On Release A')),
    await artistOf(await makeTrack('On Release B')),
  ]
  const makeRelease = async (slug: string, artistIds: readonly string[]) => {
    const { id } = await db.query
      .insertInto('releases')
      .values({ kind: 'single', title: slug, slug })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`
      insert into release_credits (release_id, position, artist_id, joiner)
      select ${id}, u.place, u.id, ' & ' from unnest(${artistIds}::uuid[]) with ordinality u (id, place)`.execute(
      db.query,
    )
    return id
  }
  const artistLine = async (id: string) =>
    (
      await db.query
        .selectFrom('releases')
        .select('artist')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).artist
  const both = await makeRelease('with-both', [b.id, a.id])
  const single = await makeRelease('with-one', [b.id])
  const edited = await makeRelease('edited-later', [b.id])
  const { undo_id } = (
    await owner.call(admin.mergeArtists, { params: { id: a.id }, body: { artist_ids: [b.id] } })
  ).body
  expect([await artistLine(both), await artistLine(single)]).toEqual([
    'On Release A',
    'On Release A',
  ])
  const other = await artistOf(await makeTrack('On Release C'))
  await sql`update release_credits set artist_id = ${other.id} where release_id = ${edited}`.execute(
    db.query,
  )
  const undone = await owner.call(admin.undoArtistChange, { params: { id: undo_id } })
  expect(undone.status).toBe(200)
  expect(await artistLine(both)).toBe('On Release B & On Release A')
  expect(await artistLine(single)).toBe('On Release B')
  expect(await artistLine(edited)).toBe('On Release C')
})

test('moves tracks of an artist to a new artist, and undoes the split', async () => {
  const [kept, given] = [await makeTrack('Split'), await makeTrack('Split')]
  const { id } = await artistOf(kept)
  const body = { track_ids: [given], to: { name: 'Split Off' } }
  const split = await owner.call(admin.splitArtist, { params: { id }, body })
  expect(split.body.data).toMatchObject({ name: 'Split Off', track_count: 1 })
  expect([await readArtistLine(kept), await readArtistLine(given)]).toEqual(['Split', 'Split Off'])
  const twice = await owner.call(admin.splitArtist, { params: { id }, body })
  expect(twice.code).toBe('track_not_found')
  await owner.call(admin.undoArtistChange, { params: { id: split.body.undo_id } })
  expect(await readArtistLine(given)).toBe('Split')
  const gone = await owner.call(admin.getAdminArtist, { params: { id: split.body.data.id } })
  expect(gone.code).toBe('artist_not_found')
})

test('deletes an artist only if no track credits it, and restores it', async () => {
  const track = await makeTrack('Used')
  const used = { params: { id: (await artistOf(track)).id } }
  expect((await owner.call(admin.deleteArtist, used)).code).toBe('artist_in_use')
  await save(track, { artist: 'Another' })
  const { undo_id } = (await owner.call(admin.deleteArtist, used)).body
  expect((await owner.call(admin.getAdminArtist, used)).code).toBe('artist_not_found')
  const restored = await owner.call(admin.undoArtistChange, { params: { id: undo_id } })
  expect(restored.body).toMatchObject({ ...used.params, name: 'Used' })
})

test('after concurrent merges, renames and saves, the artist lines of all tracks match their credits', async () => {
  const tracks = await Promise.all(
    ['Storm A', 'Storm B', 'Storm C', 'Storm A', 'Storm B'].map((name) => makeTrack(name)),
  )
  const ids = await Promise.all(tracks.slice(0, 3).map(async (id) => (await artistOf(id)).id))
  const responses = await Promise.all([
    owner.call(admin.mergeArtists, { params: { id: ids[0]! }, body: { artist_ids: [ids[1]!] } }),
    owner.call(admin.updateArtist, { params: { id: ids[0]! }, body: { name: 'Storm Z' } }),
    owner.call(admin.updateArtist, { params: { id: ids[2]! }, body: { name: 'Storm Y' } }),
    ...tracks.map((id, at) =>
      save(id, {
        artists: [
          { artist_id: ids[at % 3]!, role: 'main' },
          { name: 'Storm D', role: 'featured' },
        ],
      }),
    ),
  ])
  expect(responses.filter(({ status }) => status >= 500)).toEqual([])
  const { rows } = await sql`
    select t.artist, artist_line(t.id) from tracks t
     where t.artist is distinct from artist_line(t.id)`.execute(app.services.db.query)
  expect(rows).toEqual([])
})

test('lists artists with a published track by name in pages, and searches them', async () => {
  await Promise.all(['Page Ä', 'page b', 'Page C'].map((name) => makeTrack(name)))
  await makeTrack('Page Draft', { published: false })
  const first = (
    await member.call(listArtists, { query: { q: 'page', order: 'name', limit: '2' } as never })
  ).body
  const cursor = first.next_cursor!
  const rest = (await member.call(listArtists, { query: { q: 'page', order: 'name', cursor } }))
    .body
  expect([...first.data, ...rest.data].map(({ name }) => name).toSorted()).toEqual([
    'Page C',
    'Page Ä',
    'page b',
  ])
  const best = (await member.call(listArtists, { query: { q: 'PAGE A' } })).body.data
  expect(best[0]).toMatchObject({ name: 'Page Ä', track_count: 1 })
  const draft = (await owner.call(admin.listAdminArtists, { query: { q: 'page draft' } })).body
    .data[0]!
  expect(draft.track_count).toBe(1)
  expect((await member.call(getArtist, { params: { id: draft.id } })).code).toBe('artist_not_found')
  expect((await owner.call(getArtist, { params: { id: draft.id } })).status).toBe(200)
})

test("returns an artist's top tracks by plays, appearances and related artists", async () => {
  const [quiet, loud, guest] = [
    await makeTrack('Star'),
    await makeTrack('Star'),
    await makeTrack('Host'),
  ]
  const star = await artistOf(quiet)
  await sql`insert into track_months (month, track_id, starts, plays, previews, completed, conversions)
            values (date_trunc('month', now()), ${quiet}, 9, 9, 0, 9, 0)`.execute(
    app.services.db.query,
  )
  await save(guest, {
    artists: [
      { name: 'Host', role: 'main' },
      { artist_id: star.id, role: 'remixer' },
    ],
  })
  const page = (await member.call(getArtist, { params: { id: 'star' } })).body
  expect(page.track_count).toBe(3)
  expect(page.top_tracks.map(({ id }) => id)).toEqual([quiet, guest, loud])
  expect(page.appears_on.map(({ id }) => id)).toEqual([guest])
  expect(page.related.map(({ name }) => name)).toContain('Host')
})

test("saves an artist's biography and links, and rejects javascript: links", async () => {
  const { id } = (await owner.call(admin.createArtist, { body: { name: 'Links' } })).body
  const links = [{ label: 'Site', url: 'https://example.com/me' }]
  const body = { sort_name: 'Inks, L', biography: 'Plays.', links }
  const saved = (await owner.call(admin.updateArtist, { params: { id }, body })).body
  expect(saved).toMatchObject(body)
  const bad = { links: [{ label: 'Site', url: 'javascript:alert(1)' }] }
  expect((await owner.call(admin.updateArtist, { params: { id }, body: bad })).code).toBe(
    'invalid_input',
  )
  const stale = { biography: 'Sings.', version: saved.version - 1 }
  expect((await owner.call(admin.updateArtist, { params: { id }, body: stale })).code).toBe(
    'changed_meanwhile',
  )
})
