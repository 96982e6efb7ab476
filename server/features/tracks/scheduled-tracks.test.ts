// Scheduling tracks over HTTP, publishing them on their date, and hiding them from members until then.
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  getAdminTrack,
  listAdminTracks,
  publishTrack,
  unpublishTrack,
  updateAdminTrack,
  updateAdminTracks,
} from '#contract/admin/admin-tracks.ts'
import { listCategories } from '#contract/categories.ts'
import { reportPlay } from '#contract/plays.ts'
import {
  addTrackToPlaylist,
  createPlaylist,
  listPlaylistTracks,
  updatePlaylist,
} from '#contract/playlists.ts'
import { listShowcase } from '#contract/showcase-tracks.ts'
import { getTrack, likeTrack, listTracks } from '#contract/tracks.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { startServices } from '../../services.ts'
import { startWorker } from '../../worker.ts'
import { publishDueTracks } from './publish-due-tracks.ts'

const berlin = 'Europe/Berlin'
let server: TestApp
let admin: Person
let member: Person

beforeAll(async () => {
  server = await createTestApp()
  admin = await server.makePerson({ role: 'admin' })
  member = await server.makePerson()
})
afterAll(() => server.close())

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const tomorrow = () => inMs(24 * 3600_000)

async function makeDraft(prefix = 'Draft'): Promise<string> {
  const [id] = await makeTracks(server.services.db, 1, { published: false, prefix })
  return id!
}

const update = (id: string, body: object) =>
  admin.call(updateAdminTrack, { params: { id }, body: body as never })

async function makeScheduled(release_at = tomorrow(), more: object = {}, prefix = 'Scheduled') {
  const id = await makeDraft(prefix)
  const saved = await update(id, { release_at, release_zone: berlin, ...more })
  expect(saved.status).toBe(200)
  return id
}

/** Sets a past date directly in the database, because the API accepts only future dates. */
const makeDue = (id: string, release_at = inMs(-60_000)) =>
  server.services.db.query.updateTable('tracks').set({ release_at }).where('id', '=', id).execute()

const stored = (id: string) =>
  server.services.db.query
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const publications = (id: string) =>
  server.services.db.query
    .selectFrom('audit_log')
    .select(['actor_id', 'after'])
    .where('entity', '=', 'track')
    .where('entity_id', '=', id)
    .where('action', '=', 'publish')
    .execute()

const publishDue = (now = new Date()) => publishDueTracks(server.services.db, now)

describe('scheduling fields', () => {
  test('are saved, shown to admins and listed by state', async () => {
    const release_at = tomorrow()
    const id = await makeScheduled(release_at, { early_access_days: 7, audience: 'members' })
    const { body } = await admin.call(getAdminTrack, { params: { id } })
    expect(body).toMatchObject({
      release_at,
      release_zone: berlin,
      early_access_days: 7,
      audience: 'members',
      is_published: false,
      premium_only: false,
      early_access_until: null,
      version: 2,
    })
    const listed = async (availability: 'scheduled' | 'draft' | 'members') =>
      (
        await admin.call(listAdminTracks, { query: { availability, page_size: 100 } })
      ).body.data.map((track) => track.id)
    expect(await listed('scheduled')).toContain(id)
    expect(await listed('draft')).not.toContain(id)
    expect(await listed('members')).not.toContain(id)
  })

  test.each<[object, string]>([
    [{ release_at: inMs(-1000), release_zone: berlin }, 'release_in_past'],
    [{ release_at: inMs(3600_000) }, 'invalid_input'],
    [{ release_at: inMs(3600_000), release_zone: null }, 'invalid_input'],
    [{ release_at: inMs(3600_000), release_zone: 'Europe/Atlantis' }, 'invalid_input'],
    [{ release_at: inMs(3600_000), release_zone: '+01:00' }, 'invalid_input'],
    [{ release_at: 'next Friday', release_zone: berlin }, 'invalid_input'],
    [{ release_at: inMs(3600_000), release_zone: berlin, is_published: true }, 'release_published'],
    [{ early_access_days: -1 }, 'invalid_input'],
    [{ early_access_days: 366 }, 'invalid_input'],
    [{ early_access_days: 1.5 }, 'invalid_input'],
    [{ audience: 'everybody' }, 'invalid_input'],
  ])('%o are rejected with %s and change nothing', async (body, code) => {
    const id = await makeDraft()
    expect((await update(id, { title: 'New', ...body })).code).toBe(code)
    expect(await stored(id)).toMatchObject({ title: 'Draft 1', release_at: null, version: 1 })
  })

  test('can set a release date on a published track only if the same request hides it', async () => {
    const [id] = await makeTracks(server.services.db, 1)
    const date = { release_at: tomorrow(), release_zone: berlin }
    expect((await update(id!, date)).code).toBe('release_published')
    const hidden = await update(id!, { ...date, is_published: false })
    expect(hidden.body).toMatchObject({ is_published: false, release_at: date.release_at })
  })

  test('are removed when the track is published or hidden manually', async () => {
    const [published, hidden] = [await makeScheduled(), await makeScheduled()]
    const now = await admin.call(publishTrack, { params: { id: published } })
    expect(now.body).toMatchObject({ is_published: true, release_at: null, release_zone: berlin })
    const draft = await admin.call(unpublishTrack, { params: { id: hidden } })
    expect(draft.body).toMatchObject({ is_published: false, release_at: null })
  })

  test('keep the stored date if the request contains no date fields', async () => {
    const id = await makeScheduled()
    const saved = await update(id, { title: 'Renamed', is_published: false })
    expect(saved.body).toMatchObject({ title: 'Renamed', release_at: expect.any(String) })
  })

  test('are set on all tracks of a bulk update, or on none if one date is invalid', async () => {
    const ids = [await makeDraft(), await makeDraft(), await makeDraft()]
    const date = { release_at: tomorrow(), release_zone: berlin, early_access_days: 3 }
    const all = ids.map((id) => ({ id, ...date }))
    const wrong = [all[0]!, { ...all[1]!, release_at: inMs(-1) }, all[2]!]
    const refused = await admin.call(updateAdminTracks, { body: { changes: wrong } })
    expect(refused.code).toBe('release_in_past')
    expect(refused.body).toMatchObject({ error: { details: { id: ids[1] } } })
    expect(await stored(ids[0]!)).toMatchObject({ release_at: null })
    const saved = await admin.call(updateAdminTracks, { body: { changes: all } })
    expect(saved.status).toBe(200)
    for (const id of ids) expect(await stored(id)).toMatchObject(date)
  })
})

describe('before its release date, a track', () => {
  test(
    'appears in none of 1,000 responses to members and visitors',
    { timeout: 120_000 },
    async () => {
      const id = await makeScheduled(tomorrow(), {}, 'Zyzzyva')
      const { db } = server.services
      await db.query
        .updateTable('tracks')
        .set({ category: null, genre: null, lyrics: 'Zyzzyva', description: 'Zyzzyva' })
        .where('id', '=', id)
        .execute()
      const premium = await server.makePerson({ tier: 'premium' })
      const { body: own } = await premium.call(createPlaylist, { body: { title: 'Mine' } })
      // The track was liked, played and added to a playlist before it was hidden.
      await db.query.insertInto('likes').values({ user_id: premium.id, track_id: id }).execute()
      await db.query
        .insertInto('playlist_tracks')
        .values({ playlist_id: own.id, track_id: id, order_index: 0 })
        .execute()
      const events = await recordEvents(server.url, member.cookie)
      const params = { id }
      const play = {
        play_id: '0191a0c0-0000-7000-8000-00000000abcd',
        track_id: id,
        heard_seconds: 0,
        position_seconds: 0,
        duration_seconds: 100,
      }
      const attempts: ((who: Person) => Promise<{ body: unknown }>)[] = [
        (who) => who.call(listTracks, { query: {} }),
        (who) => who.call(listTracks, { query: { q: 'zyzz' } }),
        (who) => who.call(listTracks, { query: { order: 'title', limit: 200 } }),
        (who) => who.call(listTracks, { query: { liked: 'true' } }),
        (who) => who.call(getTrack, { params }),
        (who) => who.call(likeTrack, { params }),
        (who) => who.call(listCategories, {}),
        (who) => who.call(listShowcase, {}),
        (who) => who.call(reportPlay, { body: play }),
        (who) => who.call(listPlaylistTracks, { params: { id: own.id }, query: {} }),
        (who) => who.call(addTrackToPlaylist, { params: { id: own.id }, body: { track_id: id } }),
        (who) =>
          who.call(updatePlaylist, {
            params: { id: own.id },
            body: { track_changes: [{ action: 'add', track_id: id }] },
          }),
        (who) => who.send('GET', `/api/tracks/${id}/stream`),
        (who) => who.send('GET', `/api/tracks/${id}/stream?keep=true`),
        (who) => who.send('GET', `/api/tracks/${id}/preview`),
        (who) => who.send('GET', '/api/recently-played'),
        (who) => who.send('GET', `/api/playlists/${own.id}`),
        (who) => who.send('GET', `/api/playlists?q=zyzz`),
        (who) => who.send('GET', '/'),
        (who) => who.send('GET', '/sitemap.xml'),
      ]
      const callers = [member, premium, server.nobody as Person]
      let requestCount = 0
      for (let round = 0; requestCount < 1000; round++) {
        const attempt = attempts[round % attempts.length]!
        for (const who of callers) {
          const { body } = await attempt(who)
          const text = JSON.stringify(body ?? '').toLowerCase()
          expect(text.includes('zyzzyva') || text.includes(`"${id}"`), attempt.toString()).toBe(
            false,
          )
          requestCount++
        }
      }
      expect(JSON.stringify(events.events)).not.toContain(id)
      events.stop()
      expect(await stored(id)).toMatchObject({ is_published: false })
    },
  )
})

describe('after its release date, a track', () => {
  test('is published once, with one audit entry without an actor', async () => {
    const id = await makeScheduled(tomorrow(), { early_access_days: 7 })
    const events = await recordEvents(server.url, member.cookie)
    expect(await publishDue()).toBe(0)
    const release_at = inMs(-90_000)
    await makeDue(id, release_at)
    await publishDue()
    await publishDue()
    expect(await publications(id)).toEqual([
      { actor_id: null, after: { release_at, reason: 'the scheduled moment has come' } },
    ])
    const { body } = await member.call(getTrack, { params: { id } })
    // Early access starts at the announced date, not at the time when a worker published the track.
    const until = new Date(Date.parse(release_at) + 7 * 24 * 3600_000).toISOString()
    expect(body).toMatchObject({ premium_only: false, early_access_until: until })
    const list = await member.call(listTracks, { query: {} })
    expect(list.body.data.map((track) => track.id)).toContain(id)
    await expect.poll(() => events.events).toContainEqual({ topic: 'tracks', id: '' })
    events.stop()
    const { body: forAdmin } = await admin.call(getAdminTrack, { params: { id } })
    expect(forAdmin).toMatchObject({ release_at: null, is_published: true })
  })

  test('is published once when many workers run concurrently', async () => {
    const ids: string[] = []
    for (let i = 0; i < 10; i++) ids.push(await makeScheduled())
    for (const id of ids) await makeDue(id)
    const counts = await Promise.all(Array.from({ length: 8 }, () => publishDue()))
    // A run skips tracks that another run has locked. The other run publishes them.
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(10)
    for (const id of ids) expect(await publications(id)).toHaveLength(1)
  })

  test('stays hidden while it is deleted or not ready, and is published afterwards', async () => {
    const [waiting, failed, deleted] = [
      await makeScheduled(),
      await makeScheduled(),
      await makeScheduled(),
    ]
    const { db } = server.services
    const set = (id: string, processing_status: 'processing' | 'failed' | 'ready') =>
      db.query.updateTable('tracks').set({ processing_status }).where('id', '=', id).execute()
    await set(waiting, 'processing')
    await set(failed, 'failed')
    await admin.send('POST', '/api/admin-tracks', { body: { action: 'delete', id: deleted } })
    for (const id of [waiting, failed, deleted]) await makeDue(id)
    expect(await publishDue()).toBe(0)
    await set(waiting, 'ready')
    await admin.send('POST', '/api/admin-tracks/restore', { body: { ids: [deleted] } })
    expect(await publishDue()).toBe(2)
    expect(await stored(failed)).toMatchObject({ is_published: false })
  })

  test('is not published again after an admin has hidden it', async () => {
    const id = await makeScheduled()
    await makeDue(id)
    await publishDue()
    await admin.call(unpublishTrack, { params: { id } })
    expect(await publishDue()).toBe(0)
    expect(await stored(id)).toMatchObject({ is_published: false })
  })

  test('is not hidden by saving a form that an admin opened before; the request returns changed_meanwhile', async () => {
    const id = await makeScheduled()
    const { version } = await stored(id)
    await makeDue(id)
    const opened = (await stored(id)).version
    expect(opened).toBe(version + 1)
    await publishDue()
    expect((await update(id, { is_published: false, version: opened })).code).toBe(
      'changed_meanwhile',
    )
    expect(await stored(id)).toMatchObject({ is_published: true })
  })

  test(
    'is published within seconds by one of two instances, even if the date passed while none was running',
    { timeout: 60_000 },
    async () => {
      const overdue = await makeScheduled()
      await makeDue(overdue, inMs(-3 * 24 * 3600_000))
      const log = pino({ level: 'fatal' })
      const second = await startServices(server.services.config, log)
      const workers = await Promise.all([server.services, second.services].map(startWorker))
      try {
        const release_at = inMs(3000)
        const id = await makeScheduled(release_at)
        await expect
          .poll(async () => (await stored(id)).is_published, { timeout: 15_000, interval: 50 })
          .toBe(true)
        expect(Date.now() - Date.parse(release_at)).toBeLessThan(5000)
        const { updated_at } = await stored(id)
        expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(Date.parse(release_at))
        expect(await stored(overdue)).toMatchObject({ is_published: true })
        for (const one of [id, overdue]) expect(await publications(one)).toHaveLength(1)
      } finally {
        for (const worker of workers) await worker.stop()
        second.beginShutdown()
        await second.close()
      }
    },
  )
})

test('a published track without release date, early access or Premium flag is open to all members', async () => {
  const [id] = await makeTracks(server.services.db, 1)
  const { body } = await member.call(getTrack, { params: { id: id! } })
  expect(body).toMatchObject({ premium_only: false, early_access_until: null })
  const { body: forAdmin } = await admin.call(getAdminTrack, { params: { id: id! } })
  expect(forAdmin).toMatchObject({ release_at: null, early_access_days: 0, audience: 'members' })
})
