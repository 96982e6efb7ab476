// Smart playlists with every rule and every order. Results are always up to date and use the reader's likes and plays.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import {
  addTrackToPlaylist,
  createPlaylist,
  deletePlaylist,
  getPlaylist,
  listPlaylists,
  listPlaylistTracks,
  restorePlaylist,
  updatePlaylist,
} from '#contract/playlists.ts'
import { startRadio } from '#contract/radio.ts'
import { createPlaylistInvitation } from '#contract/shared-playlists.ts'
import { previewSmartPlaylist } from '#contract/smart-playlists.ts'
import { smartOrders, type SmartRule, type SmartRules } from '#contract/fields/smart-rules.ts'
import { createFeatureApp, type FeatureApp, type Person } from '../../testing/feature-app.ts'
import { playlistRoutes } from '../playlists/playlist-routes.ts'
import { sharedPlaylistRoutes } from '../shared-playlists/shared-playlist-routes.ts'
import { similarRoutes } from '../similar/similar-routes.ts'
import { smartPlaylistRoutes } from './smart-playlist-routes.ts'

let app: FeatureApp
let ada: Person
/** The ids of five tracks, by their letters a, b, c, d and e. */
let ids: Record<string, string>

beforeAll(async () => {
  app = await createFeatureApp((route, { pictures }) => {
    playlistRoutes(route, pictures)
    sharedPlaylistRoutes(route)
    smartPlaylistRoutes(route)
    similarRoutes(route)
  })
  ada = await app.makePerson({ premium: true })
  const { query } = app.db
  ids = {}
  await sql`insert into genres (name) values ('Dream Pop'), ('Électro') on conflict do nothing`.execute(
    query,
  )
  for (const [at, letter] of [...'abcde'].entries()) {
    const { rows } = await sql<{ id: string }>`
      insert into tracks (title, artist, is_published, processing_status, duration, genre, tags, created_at)
      values (${`Track ${letter}`}, ${at === 4 ? 'Björk' : `Artist ${at}`}, true, 'ready', ${100 * (at + 1)},
              ${at < 3 ? 'Dream Pop' : 'Électro'}, ${at % 2 ? ['Warm', 'slow'] : ['cold']}::text[],
              now() - make_interval(days => ${at * 10}))
      returning id`.execute(query)
    ids[letter] = rows[0]!.id
  }
  await sql`insert into category_metadata (category, display_name) values ('night-music', 'Night'), ('dawn', 'Dawn')`.execute(
    query,
  )
  await sql`update tracks set category = 'night-music' where id in (${ids.a}, ${ids.b})`.execute(
    query,
  )
  await sql`update tracks set more_categories = '{dawn}' where id = ${ids.b}`.execute(query)
  await sql`update tracks set moods = case when title = 'Track e' then '{Cheerful,calm}'::text[] else '{Calm}' end
             where id in (${ids.a}, ${ids.e})`.execute(query)
  await sql`insert into track_sounds (track_id, version, tempo) values (${ids.a}, 1, 84), (${ids.b}, 1, 120)
            on conflict (track_id) do update set tempo = excluded.tempo`.execute(query)
  await sql`insert into track_neighbours (track_id, neighbour_ids, scores, signals)
            values (${ids.a}, ${[ids.c, ids.e]}::uuid[], '{1,0.5}', '{1,1}')`.execute(query)
  await sql`with r as (insert into releases (kind, title, slug, is_published, release_date)
              values ('album', 'Blue Hour', 'blue-hour', true, '2020-05-01') returning id)
            insert into release_tracks (release_id, track_id, position) select id, ${ids.d}, 1 from r`.execute(
    query,
  )
  await like(ada, 'a', 'b')
  await play(ada, 'a', 1, 3)
  await play(ada, 'b', 60, 1)
})
afterAll(() => app.close())

async function like(who: Person, ...letters: string[]): Promise<void> {
  for (const letter of letters) {
    await sql`insert into likes (user_id, track_id) values (${who.id}, ${ids[letter]})`.execute(
      app.db.query,
    )
  }
}
async function play(who: Person, letter: string, daysAgo: number, times: number): Promise<void> {
  await sql`insert into plays (id, user_id, track_id, is_preview, started_at, reported_at, duration_seconds, counted_at)
            select gen_random_uuid(), ${who.id}, ${ids[letter]}, false, at, at, 100, at
              from generate_series(1, ${times}), lateral (select now() - make_interval(days => ${daysAgo}) as at) a`.execute(
    app.db.query,
  )
}

const makeRules = (rules: SmartRule[], changes: Partial<SmartRules> = {}): SmartRules => ({
  match: 'all',
  groups: [{ match: 'all', rules }],
  order: 'title',
  limit: 100,
  ...changes,
})
const text = (
  field: Extract<SmartRule, { kind: 'text' }>['field'],
  operator: Extract<SmartRule, { kind: 'text' }>['operator'],
  value: string,
): SmartRule => ({ kind: 'text', field, operator, value })
const liked: SmartRule = { kind: 'liked', value: true }

async function make(who: Person, rules: SmartRules): Promise<string> {
  const { body } = await who.call(createPlaylist, { body: { title: 'Smart', rules } })
  return body.id
}
/** Returns the letters of the playlist's tracks, in order. */
async function readLetters(who: Person, id: string): Promise<string> {
  const { body } = await who.call(listPlaylistTracks, { params: { id } })
  return body.data.map(({ track }) => track.title.slice(-1)).join('')
}
async function findLetters(rules: SmartRules, who = ada): Promise<string> {
  const { body } = await who.call(previewSmartPlaylist, { body: { rules } })
  expect(body.total).toBe(body.data.length)
  return body.data.map(({ title }) => title.slice(-1)).join('')
}

const cases: [string, SmartRule, string][] = [
  ['title is, without case', text('title', 'is', 'TRACK A'), 'a'],
  ['title contains', text('title', 'contains', 'ack'), 'abcde'],
  ['title contains a wildcard literally', text('title', 'contains', 'Track%'), ''],
  ['artist is, without accents', text('artist', 'is', 'bjork'), 'e'],
  ['artist contains not', text('artist', 'contains_not', 'artist'), 'e'],
  ['genre is', text('genre', 'is', 'dream pop'), 'abc'],
  ['genre is not', text('genre', 'is_not', 'electro'), 'abc'],
  ['category is', text('category', 'is', 'night-music'), 'ab'],
  ['category is not, and has none', text('category', 'is_not', 'night-music'), 'cde'],
  ['another category is', text('category', 'is', 'dawn'), 'b'],
  ['mood is', text('mood', 'is', 'calm'), 'ae'],
  ['mood is not', text('mood', 'is_not', 'Calm'), 'bcd'],
  ['mood contains', text('mood', 'contains', 'eer'), 'e'],
  ['tag is', text('tag', 'is', 'warm'), 'bd'],
  ['tag is not', text('tag', 'is_not', 'warm'), 'ace'],
  ['tag contains', text('tag', 'contains', 'col'), 'ace'],
  ['release is', text('release', 'is', 'blue hour'), 'd'],
  ['release contains not', text('release', 'contains_not', 'blue'), 'abce'],
  ['longer', { kind: 'number', field: 'duration', operator: 'at_least', value: 300 }, 'cde'],
  ['shorter', { kind: 'number', field: 'duration', operator: 'at_most', value: 200 }, 'ab'],
  ['tempo, if known', { kind: 'number', field: 'bpm', operator: 'at_most', value: 100 }, 'a'],
  ['played', { kind: 'number', field: 'plays', operator: 'at_least', value: 2 }, 'a'],
  ['played once', { kind: 'number', field: 'plays', operator: 'at_least', value: 1 }, 'ab'],
  ['never played', { kind: 'number', field: 'plays', operator: 'at_most', value: 0 }, 'cde'],
  ['added lately', { kind: 'days', field: 'added', operator: 'in_last', value: 15 }, 'ab'],
  ['added long ago', { kind: 'days', field: 'added', operator: 'not_in_last', value: 15 }, 'cde'],
  ['heard lately', { kind: 'days', field: 'heard', operator: 'in_last', value: 30 }, 'a'],
  [
    'not heard lately',
    { kind: 'days', field: 'heard', operator: 'not_in_last', value: 30 },
    'bcde',
  ],
  [
    'released since',
    { kind: 'day', field: 'released', operator: 'since', value: '2020-05-01' },
    'abcde',
  ],
  [
    'released before',
    { kind: 'day', field: 'released', operator: 'before', value: '2020-05-02' },
    'd',
  ],
  ['liked', liked, 'ab'],
  ['not liked', { kind: 'liked', value: false }, 'cde'],
]
test.each(cases)('finds the tracks of the rule: %s', async (_name, rule, expected) => {
  expect(await findLetters(makeRules([rule]))).toBe(expected)
})

test('finds tracks similar to a track or an artist', async () => {
  const like = { kind: 'sounds_like', what: 'track', id: ids.a!, name: 'Track a' } as const
  expect(await findLetters(makeRules([like]))).toBe('ce')
  const { rows } = await sql<{ id: string }>`
    select artist_id as id from track_credits where track_id = ${ids.a}`.execute(app.db.query)
  expect(await findLetters(makeRules([{ ...like, what: 'artist', id: rows[0]!.id }]))).toBe('ce')
  expect(await findLetters(makeRules([{ ...like, id: randomUUID() }]))).toBe('')
})

test('combines groups of rules with "all" and "any"', async () => {
  const groups: SmartRules['groups'] = [
    { match: 'any', rules: [text('title', 'is', 'track a'), text('title', 'is', 'track c')] },
    { match: 'all', rules: [liked] },
  ]
  expect(await findLetters(makeRules([], { groups }))).toBe('a')
  expect(await findLetters(makeRules([], { groups, match: 'any' }))).toBe('abc')
})

test.each(smartOrders)(
  "the order %s is the same across pages, and the rules' limit truncates it",
  async (order) => {
    const everything = text('title', 'contains', 'track')
    const id = await make(ada, makeRules([everything], { order }))
    const whole = await readLetters(ada, id)
    expect([...whole].toSorted().join('')).toBe('abcde')
    const expected: Partial<Record<string, string>> = {
      newest: 'abcde',
      oldest: 'edcba',
      title: 'abcde',
      most_played: 'abcde',
      least_played: 'cdeba',
      shortest: 'abcde',
      longest: 'edcba',
    }
    if (expected[order]) expect(whole).toBe(expected[order])
    if (order === 'heard_last') expect(whole.slice(0, 2)).toBe('ab')
    if (order === 'heard_longest_ago') expect(whole.slice(3)).toBe('ba')
    if (order === 'liked_last') expect(whole.slice(0, 2)).toBe('ba')
    const pages = []
    for (let offset = 0; offset < 6; offset += 2) {
      const query = { offset, limit: 2 }
      const { body } = await ada.call(listPlaylistTracks, { params: { id }, query })
      expect(body.total).toBe(5)
      pages.push(...body.data.map(({ track }) => track.title.slice(-1)))
    }
    expect(pages.join('')).toBe(whole)
    await ada.call(updatePlaylist, {
      params: { id },
      body: { rules: makeRules([everything], { order, limit: 3 }) },
    })
    expect(await readLetters(ada, id)).toBe(whole.slice(0, 3))
  },
)

test('is up to date immediately after a like, a play, an edit and a publication', async () => {
  const ben = await app.makePerson({ premium: true })
  const id = await make(ben, makeRules([liked]))
  expect(await readLetters(ben, id)).toBe('')
  await like(ben, 'c', 'd')
  expect(await readLetters(ben, id)).toBe('cd')
  const head = async () => (await ben.call(getPlaylist, { params: { id } })).body
  expect(await head()).toMatchObject({ is_smart: true, track_count: 2, duration: 700 })
  const setPublished = (is_published: boolean) =>
    app.db.query.updateTable('tracks').set({ is_published }).where('id', '=', ids.c!).execute()
  await setPublished(false)
  expect(await readLetters(ben, id)).toBe('d')
  expect((await head()).track_count).toBe(1)
  // Lists show the values that were computed when the owner last opened the playlist.
  expect((await ben.call(listPlaylists, {})).body.data[0]).toMatchObject({ track_count: 1 })
  await setPublished(true)
})

test('the result uses the reader’s own likes and plays, and only the owner sees the rules', async () => {
  const id = await make(ada, makeRules([liked]))
  await ada.call(updatePlaylist, { params: { id }, body: { is_public: true } })
  const ben = await app.makePerson()
  await like(ben, 'e')
  expect([await readLetters(ada, id), await readLetters(ben, id)]).toEqual(['ab', 'e'])
  const { body } = await ben.call(getPlaylist, { params: { id } })
  expect(body).toMatchObject({ is_smart: true, rules: null, track_count: 1 })
  expect((await ada.call(getPlaylist, { params: { id } })).body.rules).toEqual(makeRules([liked]))
  await ada.call(updatePlaylist, { params: { id }, body: { is_public: false } })
  expect((await ben.call(listPlaylistTracks, { params: { id } })).code).toBe('playlist_not_found')
})

test('refuses to add, move or remove tracks by hand, and to invite editors', async () => {
  const id = await make(ada, makeRules([liked]))
  const params = { id }
  const track_id = ids.e!
  const responses = [
    await ada.call(addTrackToPlaylist, { params, body: { track_id } }),
    await ada.call(updatePlaylist, { params, body: { track_ids: [track_id] } }),
    await ada.call(updatePlaylist, { params, body: { title: 'New', track_changes: [] } }),
    await ada.call(createPlaylistInvitation, { params, body: { role: 'editor' } }),
  ]
  expect(responses.map(({ code }) => code)).toEqual(Array(4).fill('playlist_is_smart'))
  const insert = sql`insert into playlist_tracks (playlist_id, track_id, order_index) values (${id}, ${track_id}, 0)`
  await expect(insert.execute(app.db.query)).rejects.toThrow('no tracks of its own')
  expect((await ada.call(getPlaylist, { params })).body.title).toBe('Smart')
  const { body } = await ada.call(createPlaylist, { body: { title: 'Plain' } })
  const plain = await ada.call(updatePlaylist, {
    params: { id: body.id },
    body: { rules: makeRules([liked]) },
  })
  expect(plain.code).toBe('playlist_not_smart')
})

test('counts against the playlist limit of the plan, and is limited to ten tracks for free members', async () => {
  const free = await app.makePerson()
  const create = (limit: number) =>
    free.call(createPlaylist, { body: { title: 'Smart', rules: makeRules([liked], { limit }) } })
  expect((await create(11)).code).toBe('track_limit_reached')
  const { id } = (await create(10)).body
  expect((await create(10)).code).toBe('playlist_limit_reached')
  const save = (limit: number) =>
    free.call(updatePlaylist, { params: { id }, body: { rules: makeRules([liked], { limit }) } })
  expect((await save(11)).code).toBe('track_limit_reached')
  await free.setPremium(true)
  expect((await save(500)).status).toBe(200)
  // When Premium ends, the track limit in the rules is kept and can only be lowered.
  await free.setPremium(false)
  expect((await save(400)).status).toBe(200)
  expect((await save(401)).code).toBe('track_limit_reached')
})

test('is restored with its rules after a deletion, and can start a radio station', async () => {
  const id = await make(ada, makeRules([liked]))
  await ada.call(deletePlaylist, { params: { id } })
  await ada.call(restorePlaylist, { params: { id } })
  expect(await readLetters(ada, id)).toBe('ab')
  const radio = await ada.call(startRadio, { body: { seed: { kind: 'playlist', id } } })
  expect(radio.status).toBe(200)
})

test('quotes, SQL comments and patterns in values match nothing and cause no error', async () => {
  for (const value of ["' or true --", '"; drop table tracks', '\\', '%', '_', '$1', '{}', '/*']) {
    for (const operator of ['is', 'contains'] as const) {
      for (const field of [
        'title',
        'artist',
        'genre',
        'category',
        'mood',
        'tag',
        'release',
      ] as const) {
        expect(await findLetters(makeRules([text(field, operator, value)]))).toBe('')
      }
    }
  }
})

test('refuses rules that the contract does not allow', async () => {
  const bad = [
    {},
    makeRules([]),
    { ...makeRules([liked]), order: 'created_at; --' },
    { ...makeRules([liked]), limit: 1001 },
    makeRules([
      { kind: 'text', field: 'lyrics', operator: 'is', value: 'x' } as unknown as SmartRule,
    ]),
    makeRules([{ kind: 'day', field: 'added', operator: 'since', value: '2020-02-31' }]),
    makeRules(Array(11).fill(liked) as SmartRule[]),
  ]
  for (const rules of bad) {
    const response = await ada.send('POST', '/api/smart-playlists/preview', { rules })
    expect(response.code).toBe('invalid_input')
  }
})
