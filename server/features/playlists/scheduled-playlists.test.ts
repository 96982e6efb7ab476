// Curated playlists with a release date, in early access and Premium-only, over HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeAdminPlaylists } from '#contract/admin/admin-playlists.ts'
import { getPlaylist, listPlaylists, listPlaylistTracks } from '#contract/playlists.ts'
import {
  createFeatureApp,
  makeTracks,
  type FeatureApp,
  type Person,
} from '../../testing/feature-app.ts'
import { adminPlaylistRoutes } from './admin-playlist-routes.ts'
import { playlistRoutes } from './playlist-routes.ts'
import { publishDuePlaylists } from './publish-due-playlists.ts'

let app: FeatureApp
let free: Person
let premium: Person
let admin: Person
let trackIds: string[]

beforeAll(async () => {
  app = await createFeatureApp((route, { pictures }) => {
    playlistRoutes(route, pictures)
    adminPlaylistRoutes(route, { pictures })
  })
  free = await app.makePerson()
  premium = await app.makePerson({ premium: true })
  admin = await app.makePerson({ admin: true })
  trackIds = await makeTracks(app.db, 3)
})
afterAll(() => app.close())

const release_zone = 'America/New_York'
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const tomorrow = () => inMs(24 * 3600_000)

const change = (body: object) => admin.call(changeAdminPlaylists, { body: body as never })
const update = (id: string, body: object) => change({ action: 'update', id, ...body })

async function make(fields: object = {}, title = 'Evening') {
  const created = await change({ action: 'create', title, ...fields })
  expect(created.status).toBe(201)
  const { id } = created.body.playlist!
  const filled = await update(id, { track_ids: trackIds })
  return filled.body.playlist!
}

const open = (who: Person, id: string) => who.call(getPlaylist, { params: { id } })
const openTracks = (who: Person, id: string, offset = 0) =>
  who.call(listPlaylistTracks, { params: { id }, query: { offset } })
const listed = async (who: Person, q = '') =>
  (await who.call(listPlaylists, { query: { scope: 'curated', limit: 200, ...(q && { q }) } })).body
    .data

const publications = (id: string) =>
  app.db.query
    .selectFrom('audit_log')
    .select('actor_id')
    .where('entity', '=', 'playlist')
    .where('entity_id', '=', id)
    .where('action', '=', 'publish')
    .execute()

describe('a curated playlist with a release date', () => {
  test('is hidden from members until that date, and listed from then on', async () => {
    const release_at = tomorrow()
    const playlist = await make({ release_at, release_zone, early_access_days: 5 }, 'Quixotic')
    expect(playlist).toMatchObject({ is_visible: false, release_at, early_access_days: 5 })
    const { id } = playlist
    for (const who of [free, premium]) {
      expect((await open(who, id)).code).toBe('playlist_not_found')
      expect((await openTracks(who, id)).code).toBe('playlist_not_found')
      expect(await listed(who, 'quixotic')).toEqual([])
      expect((await listed(who)).map((one) => one.id)).not.toContain(id)
    }
    expect(await publishDuePlaylists(app.db, new Date())).toBe(0)
    const due = inMs(-60_000)
    await app.db.query
      .updateTable('playlists')
      .set({ release_at: due })
      .where('id', '=', id)
      .execute()
    const counts = await Promise.all(
      Array.from({ length: 6 }, () => publishDuePlaylists(app.db, new Date())),
    )
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(await publications(id)).toEqual([{ actor_id: null }])
    const { body } = await open(free, id)
    const until = new Date(Date.parse(due) + 5 * 24 * 3600_000).toISOString()
    expect(body).toMatchObject({ track_count: 3, early_access_until: until })
  })

  test('rejects contradictory date fields', async () => {
    const { id } = await make()
    const date = { release_at: tomorrow(), release_zone }
    expect((await update(id, date)).code).toBe('release_published')
    expect((await update(id, { ...date, is_visible: true })).code).toBe('release_published')
    const past = { release_at: inMs(-1), release_zone, is_visible: false }
    expect((await update(id, past)).code).toBe('release_in_past')
    expect((await update(id, { ...past, release_zone: 'Mars/Olympus' })).code).toBe('invalid_input')
    const hidden = await update(id, { ...date, is_visible: false })
    expect(hidden.body.playlist).toMatchObject({ is_visible: false, release_at: date.release_at })
    const shown = await update(id, { is_visible: true })
    expect(shown.body.playlist).toMatchObject({ is_visible: true, release_at: null })
  })

  test('loses its date when it becomes a private playlist', async () => {
    const { id } = await make({ release_at: tomorrow(), release_zone, audience: 'premium' })
    const own = await update(id, { is_curated: false })
    expect(own.body.playlist).toMatchObject({ release_at: null, audience: 'members' })
    expect(await publishDuePlaylists(app.db, new Date(Date.now() + 48 * 3600_000))).toBe(0)
    expect((await openTracks(admin, id)).status).toBe(200)
  })
})

describe.each([
  ['in early access', { early_access_days: 3 }, 'early_access'],
  ['for Premium only', { audience: 'premium' }, 'premium_only'],
])('%s, a curated playlist', (_what, fields, reason) => {
  test('is listed for all members with its restriction, and only Premium members can open its tracks', async () => {
    const { id } = await make(fields)
    for (const who of [free, premium]) {
      const shown = (await listed(who)).find((one) => one.id === id)
      expect(shown).toMatchObject({ title: 'Evening', premium_only: reason === 'premium_only' })
      expect(shown?.early_access_until === null).toBe(reason === 'premium_only')
      expect((await open(who, id)).status).toBe(200)
    }
    for (const offset of [0, 2, 10]) {
      const refused = await openTracks(free, id, offset)
      expect([refused.status, refused.code]).toEqual([403, 'premium_required'])
    }
    for (const who of [premium, admin]) {
      expect((await openTracks(who, id)).body.data).toHaveLength(3)
    }
  })
})

test('the early access of a playlist ends automatically', async () => {
  const { id } = await make({ early_access_days: 3 })
  expect((await openTracks(free, id)).status).toBe(403)
  const early_access_until = inMs(-1)
  await app.db.query
    .updateTable('playlists')
    .set({ early_access_until })
    .where('id', '=', id)
    .execute()
  expect((await openTracks(free, id)).body.total).toBe(3)
  expect((await open(free, id)).body).toMatchObject({ early_access_until: null })
})
