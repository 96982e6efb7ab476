// Deletions take effect immediately for everyone, and undoing them restores exactly the previous state.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import {
  createCategory,
  deleteCategory,
  listAdminCategories,
  restoreCategory,
} from '#contract/admin/admin-categories.ts'
import { createGenre, deleteGenre, listGenres, restoreGenre } from '#contract/admin/admin-genres.ts'
import { changeAdminPlaylists, restoreAdminPlaylist } from '#contract/admin/admin-playlists.ts'
import {
  changeAdminTracks,
  getAdminTrack,
  listAdminTracks,
  publishTrack,
  restoreTracks,
  updateAdminTracks,
} from '#contract/admin/admin-tracks.ts'
import { deleteUser } from '#contract/admin/admin-users.ts'
import {
  createPlaylist,
  deletePlaylist,
  getPlaylist,
  restorePlaylist,
} from '#contract/playlists.ts'
import { findTracksByHash } from '#contract/admin/track-imports.ts'
import { likeTrack } from '#contract/tracks.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { purgeDeletions } from './purge-deletions.ts'

let app: TestApp
let admin: Person
let member: Person
let count = 0

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())
beforeEach(async () => {
  member = await app.makePerson({ tier: 'premium' })
})

const db = () => app.services.db

async function makeCover(): Promise<string> {
  const id = randomUUID()
  await app.services.storage.put(`covers/${id}/384.webp`, Buffer.from('a picture'))
  await db()
    .query.insertInto('images')
    .values({
      id,
      kind: 'cover',
      tint: '#000000',
      placeholder: 'data:image/webp;base64,AA',
      width: 1,
      height: 1,
    })
    .execute()
  return id
}

interface DeletableTrack {
  id: string
  sha256: string
  cover_id: string
  keys: string[]
}

/** Creates a published track with files, a cover, a play and a like. */
async function makeTrack(
  fields: { category?: string; genre?: string } = {},
): Promise<DeletableTrack> {
  count += 1
  const sha256 = count.toString(16).padStart(64, '0')
  const cover_id = await makeCover()
  const source_key = `uploads/audio/${randomUUID()}`
  const { id } = await db()
    .query.insertInto('tracks')
    .values({
      title: `Song ${count}`,
      artist: 'Mira Holt',
      is_published: true,
      processing_status: 'ready',
      duration: 100,
      source_sha256: sha256,
      source_key,
      cover_id,
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const keys = [source_key]
  for (const kind of ['standard', 'high', 'preview'] as const) {
    const storage_key = `renditions/${randomUUID()}.m4a`
    keys.push(storage_key)
    await app.services.storage.put(storage_key, Buffer.from(kind))
    await db()
      .query.insertInto('renditions')
      .values({
        track_id: id,
        kind,
        storage_key,
        mime: 'audio/mp4',
        byte_size: kind.length,
        duration_seconds: 100,
        etag: kind,
        preview_length_seconds: kind === 'preview' ? 45 : null,
      })
      .execute()
  }
  await notify(db(), 'tracks', id)
  await member.call(likeTrack, { params: { id } })
  const play = { play_id: randomUUID(), track_id: id, heard_seconds: 40, position_seconds: 40 }
  await member.send('POST', '/api/plays', { body: { ...play, duration_seconds: 100 } })
  await sql`update plays set heard_seconds = 40, counted_at = now() where track_id = ${id}`.execute(
    db().query,
  )
  await sql`
    insert into track_days (day, track_id, starts, plays, previews, completed, heard_seconds, left_at)
    values (current_date, ${id}, 1, 1, 0, 1, 40, array_fill(0, array[21]))`.execute(db().query)
  return { id, sha256, cover_id, keys }
}

/** All stored rows that reference these tracks. */
async function rowsOf(ids: string[]): Promise<unknown> {
  const { rows } = await sql<{ row: object }>`
    select to_jsonb(t) as row from tracks t where id = any(${ids}::uuid[])
    union all select to_jsonb(r) from renditions r where track_id = any(${ids}::uuid[])
    union all select to_jsonb(l) from likes l where track_id = any(${ids}::uuid[])
    union all select to_jsonb(h) from plays h where track_id = any(${ids}::uuid[])
    union all select to_jsonb(d) from track_days d where track_id = any(${ids}::uuid[])
    union all select to_jsonb(e) from playlist_tracks e
      where playlist_id in (select playlist_id from playlist_tracks where track_id = any(${ids}::uuid[]))`.execute(
    db().query,
  )
  return rows.map(({ row }) => JSON.stringify(row)).toSorted()
}

const today = new Date().toISOString().slice(0, 10)
const range = `start=${today}&end=${today}`

/** Requests everything that may contain a track, and returns the responses. */
async function readAllRoutes({ id, sha256, cover_id }: DeletableTrack) {
  const texts = await Promise.all(
    (
      [
        [member, '/api/tracks?limit=50'],
        [member, '/api/tracks?limit=50&liked=true'],
        [member, '/api/tracks?q=Mira'],
        [member, '/api/plays/recent'],
        [member, '/api/profile/data'],
        [admin, '/api/admin-tracks?page_size=100'],
        [admin, '/api/admin-tracks?q=Mira&page_size=100'],
        [admin, `/api/admin-insights/tracks?${range}&page_size=100`],
        [admin, `/api/admin-users/${member.id}/plays`],
        [app.nobody, '/api/showcase'],
      ] as const
    ).map(async ([who, path]) => {
      const result = await who.send('GET', path)
      return [path, `${result.status} ${JSON.stringify(result.body).includes(id)}`] as const
    }),
  )
  const results = await Promise.all(
    (
      [
        [member, `/api/tracks/${id}`],
        [member, `/api/tracks/${id}/stream`],
        [member, `/api/tracks/${id}/preview`],
        [admin, `/api/tracks/${id}/stream`],
        [admin, `/api/admin-tracks/${id}`],
        [admin, `/api/admin-insights/tracks/${id}?${range}`],
        [app.nobody, `/media/covers/${cover_id}/384.webp`],
      ] as const
    ).map(async ([who, path], at) => {
      const result = await who.send('GET', path)
      return [`${at} ${path}`, result.code ?? String(result.status)] as const
    }),
  )
  const duplicates = (await admin.call(findTracksByHash, { body: { sha256: [sha256] } })).body.data
  return Object.fromEntries([...texts, ...results, ['hash', String(duplicates.length)]])
}

const deleteTrack = (id: string) =>
  admin.call(changeAdminTracks, { body: { action: 'delete', id } })
const restore = (...ids: string[]) => admin.call(restoreTracks, { body: { ids } })

/** Ends the undo period of a deletion by moving its end into the past. */
async function endUndoPeriod(entityId: string): Promise<void> {
  await sql`update deletions set undo_until = now() where entity_id = ${entityId}`.execute(
    db().query,
  )
}

const curated = async (trackIds: string[]) => {
  const creation = await admin.call(changeAdminPlaylists, {
    body: { action: 'create', title: 'Evenings' },
  })
  const id = creation.body.playlist?.id ?? ''
  await admin.call(changeAdminPlaylists, { body: { action: 'update', id, track_ids: trackIds } })
  return id
}

const getCurated = async (id: string) =>
  (await admin.call(changeAdminPlaylists, { body: { action: 'get', id } })).body.playlist

describe('a track', () => {
  test('is hidden immediately from members and admins, and is restored exactly', async () => {
    const [first, track, last] = [await makeTrack(), await makeTrack(), await makeTrack()]
    const all = [first.id, track.id, last.id]
    const playlist = await curated(all)
    const [ways, rows, list] = [
      await readAllRoutes(track),
      await rowsOf(all),
      await getCurated(playlist),
    ]
    expect(Object.values(ways).filter((way) => !/^(200|200 true|1)$/.test(way))).toEqual([])

    expect((await deleteTrack(track.id)).body).toEqual({ data: null })
    await expect
      .poll(async () =>
        Object.entries(await readAllRoutes(track)).filter(([, way]) => /^200$|true|^1$/.test(way)),
      )
      .toEqual([])
    expect((await getCurated(playlist))?.playlist_tracks).toMatchObject([
      { order_index: 0, track: { id: first.id } },
      { order_index: 1, track: { id: last.id } },
    ])
    expect((await getCurated(playlist))?.track_count).toBe(2)

    expect((await restore(track.id)).body).toEqual({ data: [track.id] })
    await expect.poll(() => readAllRoutes(track)).toEqual(ways)
    expect(await rowsOf(all)).toEqual(rows)
    expect(await getCurated(playlist)).toEqual(list)
  })

  test('cannot be changed while it is deleted', async () => {
    const { id } = await makeTrack()
    await deleteTrack(id)
    const codes = [
      (await deleteTrack(id)).code,
      (await admin.call(publishTrack, { params: { id } })).code,
      (await admin.call(updateAdminTracks, { body: { changes: [{ id, title: 'x' }] } })).code,
      (await admin.call(getAdminTrack, { params: { id } })).code,
    ]
    expect(codes).toEqual(Array.from(codes, () => 'track_not_found'))
  })

  test('is restored to its position in a playlist whose other tracks have moved', async () => {
    const [a, b, c] = [await makeTrack(), await makeTrack(), await makeTrack()]
    const playlist = await curated([a.id, b.id, c.id])
    await deleteTrack(b.id)
    const body = { action: 'update' as const, id: playlist, track_ids: [c.id, a.id] }
    await admin.call(changeAdminPlaylists, { body })
    await restore(b.id)
    const after = await getCurated(playlist)
    expect(after?.playlist_tracks.map(({ track }) => track.id)).toEqual([c.id, b.id, a.id])
  })

  test('is published when restored if its processing finished while it was deleted', async () => {
    const { id } = await makeTrack()
    await sql`update tracks set is_published = false, publish_when_ready = true,
      processing_status = 'processing' where id = ${id}`.execute(db().query)
    await deleteTrack(id)
    await sql`update tracks set processing_status = 'ready', is_published = is_published or publish_when_ready
      where id = ${id}`.execute(db().query)
    expect((await member.send('GET', `/api/tracks/${id}`)).status).toBe(404)
    await restore(id)
    expect((await admin.call(getAdminTrack, { params: { id } })).body).toMatchObject({
      is_published: true,
      publish_when_ready: false,
    })
  })

  test('can be restored twice, because the first response may be lost', async () => {
    const { id } = await makeTrack()
    await deleteTrack(id)
    expect([(await restore(id)).status, (await restore(id)).status]).toEqual([200, 200])
    const { body } = await admin.call(listAuditLog, { query: { entity: 'track' } })
    const own = body.data.filter(({ entity_id }) => entity_id === id).map(({ action }) => action)
    expect(own).toEqual(['restore', 'delete'])
  })

  test('is restored only if all tracks of the request can be', async () => {
    const [a, b] = [await makeTrack(), await makeTrack()]
    await deleteTrack(a.id)
    await deleteTrack(b.id)
    await endUndoPeriod(b.id)
    const result = await restore(a.id, b.id)
    expect([result.status, result.code]).toEqual([410, 'undo_expired'])
    const listed = async () =>
      (await admin.call(listAdminTracks, { query: { page_size: 100 } })).body.data.map(
        ({ id }) => id,
      )
    expect(await listed()).not.toContain(a.id)
    expect((await restore(a.id)).status).toBe(200)
    expect(await listed()).toContain(a.id)
  })

  test('is permanently deleted with its files after the undo period', async () => {
    const track = await makeTrack()
    const untouched = await makeTrack()
    await deleteTrack(track.id)
    await purgeDeletions(db())
    expect(await rowsOf([track.id])).not.toEqual([])
    await endUndoPeriod(track.id)
    expect((await restore(track.id)).code).toBe('undo_expired')
    await purgeDeletions(db())
    expect(await rowsOf([track.id])).toEqual([])
    const garbage = await db().query.selectFrom('storage_garbage').select('storage_key').execute()
    const keys = garbage.map(({ storage_key }) => storage_key)
    expect(keys).toEqual(expect.arrayContaining(track.keys))
    expect(keys).toContain(`covers/${track.cover_id}/384.webp`)
    expect(keys.filter((key) => untouched.keys.includes(key))).toEqual([])
    // The cover's file exists until the storage sweep, but must not be served.
    const cover = await app.nobody.send('GET', `/media/covers/${track.cover_id}/384.webp`)
    expect(cover.status).toBe(404)
    expect((await restore(track.id)).code).toBe('undo_expired')
  })

  test('sends an event to open screens when it is deleted and when it is restored', async () => {
    const { id } = await makeTrack()
    const ofAdmin = await recordEvents(app.url, admin.cookie)
    const ofMember = await recordEvents(app.url, member.cookie)
    const countNotifications = () =>
      ofAdmin.events.filter((event) => event.topic === 'tracks' && event.id === id).length
    // Members receive an event that tracks changed, but not which ones.
    const heardByMember = () => ofMember.events.filter(({ topic }) => topic === 'tracks').length
    await deleteTrack(id)
    await expect.poll(countNotifications).toBe(1)
    await expect.poll(heardByMember).toBe(1)
    await restore(id)
    await expect.poll(countNotifications).toBe(2)
    await expect.poll(heardByMember).toBe(2)
    ofAdmin.stop()
    ofMember.stop()
  })

  test('cannot be published by any SQL statement while it is deleted', async () => {
    const { id } = await makeTrack()
    await deleteTrack(id)
    const publish = sql`update tracks set is_published = true where id = ${id}`.execute(db().query)
    await expect(publish).rejects.toMatchObject({ code: '23514' })
  })
})

describe('a curated playlist', () => {
  const remove = (id: string) =>
    admin.call(changeAdminPlaylists, { body: { action: 'delete', id } })
  const undo = (id: string) => admin.call(restoreAdminPlaylist, { params: { id } })
  const rows = async (id: string) => {
    const found = await sql`
      select to_jsonb(p) as row from playlists p where id = ${id}
      union all select to_jsonb(e) from playlist_tracks e where playlist_id = ${id}`.execute(
      db().query,
    )
    return found.rows.map((row) => JSON.stringify(row)).toSorted()
  }

  test('is hidden immediately, and is restored exactly', async () => {
    const tracks = [await makeTrack(), await makeTrack(), await makeTrack()]
    const id = await curated(tracks.map((track) => track.id))
    const cover_id = await makeCover()
    await sql`update playlists set cover_id = ${cover_id}, updated_at = '2026-01-02T03:04:05.678901Z'
      where id = ${id}`.execute(db().query)
    const cover = `/media/covers/${cover_id}/384.webp`
    const before = [await rows(id), await getCurated(id)]
    expect((await app.nobody.send('GET', cover)).status).toBe(200)
    expect((await remove(id)).body).toEqual({})
    expect((await member.call(getPlaylist, { params: { id } })).code).toBe('playlist_not_found')
    expect((await remove(id)).code).toBe('playlist_not_found')
    await expect.poll(async () => (await app.nobody.send('GET', cover)).status).toBe(404)
    expect((await undo(id)).body).toEqual(before[1])
    expect([await rows(id), await getCurated(id)]).toEqual(before)
    await expect.poll(async () => (await app.nobody.send('GET', cover)).status).toBe(200)
    expect((await undo(id)).status).toBe(200)
  })

  test('is restored without tracks that were permanently deleted, in order and without gaps', async () => {
    const tracks = [await makeTrack(), await makeTrack(), await makeTrack()]
    const [a, b, c] = tracks.map((track) => track.id) as [string, string, string]
    const id = await curated([a, b, c])
    await remove(id)
    await deleteTrack(a)
    await endUndoPeriod(a)
    await purgeDeletions(db())
    await undo(id)
    expect((await getCurated(id))?.playlist_tracks).toMatchObject([
      { order_index: 0, track: { id: b } },
      { order_index: 1, track: { id: c } },
    ])
  })

  test('is restored even after the account of the admin who created it was deleted', async () => {
    const other = await app.makePerson({ role: 'admin' })
    const creation = await other.call(changeAdminPlaylists, {
      body: { action: 'create', title: 'Left behind' },
    })
    const id = creation.body.playlist?.id ?? ''
    await remove(id)
    await admin.call(deleteUser, { params: { id: other.id } })
    expect((await undo(id)).body).toMatchObject({ title: 'Left behind', created_by: null })
  })

  test('is permanently deleted after the undo period', async () => {
    const id = await curated([])
    await remove(id)
    await endUndoPeriod(id)
    expect((await undo(id)).code).toBe('undo_expired')
    await purgeDeletions(db())
    expect((await undo(id)).code).toBe('undo_expired')
    const kept = await sql<{ kept: unknown }>`
      select kept from deletions where entity_id = ${id}`.execute(db().query)
    expect(kept.rows).toEqual([{ kept: {} }])
  })
})

describe("a member's playlist", () => {
  test('can be restored only by its owner', async () => {
    const { id } = (await member.call(createPlaylist, { body: { title: 'Mine' } })).body
    const other = await app.makePerson({ tier: 'premium' })
    await member.call(deletePlaylist, { params: { id } })
    expect((await other.call(restorePlaylist, { params: { id } })).code).toBe('undo_expired')
    expect((await admin.call(restoreAdminPlaylist, { params: { id } })).code).toBe('undo_expired')
    expect((await member.call(restorePlaylist, { params: { id } })).body).toMatchObject({
      id,
      title: 'Mine',
    })
    expect((await other.call(restorePlaylist, { params: { id } })).code).toBe('undo_expired')
  })

  test('is not restored if a free member has since created another playlist', async () => {
    const free = await app.makePerson()
    const { id } = (await free.call(createPlaylist, { body: { title: 'First' } })).body
    await free.call(deletePlaylist, { params: { id } })
    await free.call(createPlaylist, { body: { title: 'Second' } })
    const refused = await free.call(restorePlaylist, { params: { id } })
    expect(refused.code).toBe('playlist_limit_reached')
  })

  test("is permanently deleted when the member's account is deleted", async () => {
    const { id } = (await member.call(createPlaylist, { body: { title: 'Private' } })).body
    await member.call(deletePlaylist, { params: { id } })
    await admin.call(deleteUser, { params: { id: member.id } })
    const left = await sql`select from deletions where entity_id = ${id}`.execute(db().query)
    expect(left.rows).toEqual([])
  })
})

describe('a category', () => {
  const make = async (name: string) =>
    (await admin.call(createCategory, { body: { category: name, display_name: name } })).body
  const undo = (id: string) => admin.call(restoreCategory, { params: { id } })
  const categoryOf = async (id: string) =>
    (await admin.call(getAdminTrack, { params: { id } })).body.category

  test('is restored with its position, cover and tracks', async () => {
    const category = await make('night')
    await make('later')
    const [kept, moved, hidden] = [
      await makeTrack({ category: 'night' }),
      await makeTrack({ category: 'night' }),
      await makeTrack({ category: 'night' }),
    ]
    await deleteTrack(hidden.id)
    const before = (await admin.call(listAdminCategories, {})).body
    expect(before.data.find(({ id }) => id === category.id)?.track_count).toBe(2)
    await admin.call(deleteCategory, { params: { id: category.id } })
    expect(await categoryOf(kept.id)).toBeNull()
    await admin.call(updateAdminTracks, {
      body: { changes: [{ id: moved.id, category: 'later' }] },
    })
    expect((await undo(category.id)).body).toMatchObject({ category: 'night', track_count: 1 })
    expect(await categoryOf(kept.id)).toBe('night')
    expect(await categoryOf(moved.id)).toBe('later')
    await restore(hidden.id)
    expect(await categoryOf(hidden.id)).toBe('night')
    await admin.call(updateAdminTracks, {
      body: { changes: [{ id: moved.id, category: 'night' }] },
    })
    await deleteTrack(hidden.id)
    expect((await admin.call(listAdminCategories, {})).body).toEqual(before)
  })

  test('is not restored if another category with the same name has since been created', async () => {
    const { id } = await make('taken')
    await admin.call(deleteCategory, { params: { id } })
    const other = await make('taken')
    expect((await undo(id)).code).toBe('category_exists')
    await admin.call(deleteCategory, { params: { id: other.id } })
    expect((await undo(id)).status).toBe(200)
  })
})

describe('a genre', () => {
  const undo = (id: string) => admin.call(restoreGenre, { params: { id } })

  test('can be deleted if only deleted tracks use it, and both can be restored', async () => {
    const { id } = (await admin.call(createGenre, { body: { name: 'Velvet Soul' } })).body
    const track = await makeTrack({ genre: 'Velvet Soul' })
    expect((await admin.call(deleteGenre, { params: { id } })).code).toBe('genre_in_use')
    await deleteTrack(track.id)
    const before = (await admin.call(listGenres, {})).body
    await admin.call(deleteGenre, { params: { id } })
    expect((await undo(id)).body).toEqual({ id, name: 'Velvet Soul', track_count: 0 })
    expect((await admin.call(listGenres, {})).body).toEqual(before)
    await restore(track.id)
    const restored = await admin.call(getAdminTrack, { params: { id: track.id } })
    expect(restored.body.genre).toBe('Velvet Soul')
  })

  test('is deleted only once if two requests run concurrently (20 rounds)', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = (await admin.call(createGenre, { body: { name: `Round ${round}` } })).body
      const remove = () => admin.call(deleteGenre, { params: { id } })
      const results = await Promise.all([remove(), remove()])
      expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404])
    }
  })

  test('is not restored if another genre with the same name has since been created', async () => {
    const { id } = (await admin.call(createGenre, { body: { name: 'Dusk' } })).body
    await admin.call(deleteGenre, { params: { id } })
    await admin.call(createGenre, { body: { name: 'DUSK' } })
    expect((await undo(id)).code).toBe('genre_exists')
  })
})

test('every table that references an object that can be deleted is restored with it', async () => {
  const { rows } = await sql<{ of: string; by: string }>`
    select confrelid::regclass::text as of, conrelid::regclass::text as by from pg_constraint
     where contype = 'f' and confrelid in ('playlists'::regclass, 'category_metadata'::regclass, 'genres'::regclass)
     order by 1, 2`.execute(db().query)
  // If a table is missing here, the delete operation must store its rows and restore them.
  expect(rows).toEqual([
    // Triggers insert these rows when a category is restored.
    { of: 'category_metadata', by: 'track_categories' },
    { of: 'category_metadata', by: 'tracks' },
    { of: 'genres', by: 'tracks' },
    // Not restored: the deletion revokes invitation links, and single changes can no longer be undone.
    { of: 'playlists', by: 'playlist_changes' },
    { of: 'playlists', by: 'playlist_invitations' },
    { of: 'playlists', by: 'playlist_members' },
    // Triggers insert these rows when a playlist is restored.
    { of: 'playlists', by: 'playlist_summaries' },
    { of: 'playlists', by: 'playlist_tracks' },
  ])
})
