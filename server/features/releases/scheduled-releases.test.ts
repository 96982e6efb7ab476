// Scheduling releases over HTTP, publishing them with their tracks on their date, and hiding them from members until
// then.
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createRelease,
  deleteRelease,
  getAdminRelease,
  listAdminReleases,
  publishRelease,
  restoreRelease,
  unpublishRelease,
  updateRelease,
} from '#contract/admin/admin-releases.ts'
import { updateAdminTrack } from '#contract/admin/admin-tracks.ts'
import { getArtist, listArtists } from '#contract/artists.ts'
import { createDeviceKey } from '#contract/device-keys.ts'
import { toInstant } from '#contract/fields/zoned-time.ts'
import { createPlaylist, listPlaylistTracks } from '#contract/playlists.ts'
import { getRelease, likeRelease, listReleases } from '#contract/releases.ts'
import { listShowcase } from '#contract/showcase-tracks.ts'
import { getTrack, listTracks } from '#contract/tracks.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { startServices } from '../../services.ts'
import { startWorker } from '../../worker.ts'
import { publishDueTracks } from '../tracks/publish-due-tracks.ts'
import { publishDueReleases } from './publish-due-releases.ts'

const berlin = 'Europe/Berlin'
const dayMs = 24 * 3600_000
let server: TestApp
let admin: Person
let member: Person

beforeAll(async () => {
  server = await createTestApp()
  admin = await server.makePerson({ role: 'admin' })
  member = await server.makePerson()
})
afterAll(() => server.close())

const db = () => server.services.db
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const tomorrow = () => inMs(dayMs)
const drafts = (count: number, prefix = 'Draft') =>
  makeTracks(db(), count, { published: false, prefix })

async function makeScheduled(trackIds: readonly string[], fields: object = {}) {
  const body = {
    title: 'Scheduled',
    tracks: trackIds.map((track_id) => ({ track_id })),
    release_at: tomorrow(),
    release_zone: berlin,
    ...fields,
  }
  const created = await admin.call(createRelease, { body: body as never })
  expect(created.status).toBe(201)
  return created.body.id
}

/** Sets a past date directly in the database, because the API accepts only future dates. */
const makeDue = (id: string, release_at = inMs(-60_000)) =>
  db().query.updateTable('releases').set({ release_at }).where('id', '=', id).execute()

const stored = (table: 'releases' | 'tracks', id: string) =>
  db().query.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const release = (id: string) => stored('releases', id)
const track = (id: string) => stored('tracks', id)

const update = (id: string, body: object) =>
  admin.call(updateRelease, { params: { id }, body: body as never })
const publications = (id: string) =>
  db()
    .query.selectFrom('audit_log')
    .select(['entity', 'actor_id', 'after'])
    .where('entity_id', '=', id)
    .where('action', '=', 'publish')
    .execute()

const publishDue = (now = new Date()) => publishDueReleases(db(), now)

describe('scheduling fields', () => {
  test('are saved, shown to admins and listed by state', async () => {
    const release_at = tomorrow()
    const fields = { release_at, early_access_days: 365, audience: 'members' }
    const id = await makeScheduled(await drafts(1), fields)
    const { body } = await admin.call(getAdminRelease, { params: { id } })
    expect(body).toMatchObject({
      ...fields,
      release_zone: berlin,
      is_published: false,
      premium_only: false,
      early_access_until: null,
    })
    const listed = async (availability: 'scheduled' | 'draft' | 'members') =>
      (await admin.call(listAdminReleases, { query: { availability } })).body.data.map(
        (one) => one.id,
      )
    expect(await listed('scheduled')).toContain(id)
    expect(await listed('draft')).not.toContain(id)
    expect(await listed('members')).not.toContain(id)
  })

  test.each<[object, string]>([
    [{ release_at: inMs(-1000), release_zone: berlin }, 'release_in_past'],
    [{ release_at: inMs(3600_000) }, 'invalid_input'],
    [{ release_at: inMs(3600_000), release_zone: 'Europe/Atlantis' }, 'invalid_input'],
    [{ early_access_days: 366 }, 'invalid_input'],
    [{ audience: 'everybody' }, 'invalid_input'],
  ])('%o are rejected with %s and change nothing', async (body, code) => {
    const { id } = (await admin.call(createRelease, { body: { title: 'Plain' } })).body
    expect((await update(id, { title: 'New', ...body })).code).toBe(code)
    expect(await release(id)).toMatchObject({ title: 'Plain', release_at: null, version: 1 })
  })

  test('a published release rejects a release date; publishing or unpublishing manually removes the date', async () => {
    const id = await makeScheduled(await drafts(1))
    const body = { publish_tracks: true }
    const published = await admin.call(publishRelease, { params: { id }, body })
    expect(published.body).toMatchObject({ is_published: true, release_at: null })
    const date = { release_at: tomorrow(), release_zone: berlin }
    expect((await update(id, date)).code).toBe('release_published')
    await admin.call(unpublishRelease, { params: { id } })
    expect((await update(id, date)).body).toMatchObject({ release_at: date.release_at })
    const hidden = await admin.call(unpublishRelease, { params: { id } })
    expect(hidden.body).toMatchObject({ is_published: false, release_at: null })
  })
})

describe('after its release date, a release', () => {
  test('is published once together with its tracks, with audit entries without an actor', async () => {
    const ids = await drafts(3)
    const id = await makeScheduled(ids, { early_access_days: 7, title: 'Together' })
    expect(await publishDue()).toBe(0)
    const release_at = inMs(-90_000)
    await makeDue(id, release_at)
    const counts = await Promise.all(Array.from({ length: 6 }, () => publishDue()))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
    const reason = 'the scheduled moment has come'
    expect(await publications(id)).toEqual([
      { entity: 'release', actor_id: null, after: { release_at, reason } },
    ])
    for (const one of ids) expect(await publications(one)).toHaveLength(1)
    const until = new Date(Date.parse(release_at) + 7 * dayMs).toISOString()
    const { body } = await member.call(getRelease, { params: { id: 'together' } })
    expect(body).toMatchObject({ premium_only: false, early_access_until: until, track_count: 3 })
    for (const one of body.tracks) expect(one.early_access_until).toBe(until)
    expect(await release(id)).toMatchObject({ release_at: null, is_published: true })
    // The release is sorted by the day of its publication, not by the day of its draft.
    expect(body.release_date).toBe(
      new Intl.DateTimeFormat('sv', { timeZone: berlin }).format(new Date(release_at)),
    )
  })

  test("publishes a track with a later release date on that date, with the release's rule", async () => {
    const [later, sooner, plain] = await drafts(3)
    const id = await makeScheduled([later!, sooner!, plain!], { audience: 'premium' })
    const own = { release_at: inMs(10 * dayMs), release_zone: 'UTC' }
    await admin.call(updateAdminTrack, { params: { id: later! }, body: own })
    await admin.call(updateAdminTrack, {
      params: { id: sooner! },
      body: { ...own, release_at: inMs(5000) },
    })
    await publishDueTracks(db(), new Date(Date.now() + 6000))
    expect(await track(sooner!)).toMatchObject({ is_published: true, audience: 'members' })
    await makeDue(id)
    expect(await publishDue()).toBe(1)
    expect(await track(plain!)).toMatchObject({ is_published: true, audience: 'premium' })
    expect(await track(later!)).toMatchObject({
      ...own,
      is_published: false,
      audience: 'premium',
    })
  })

  test('publishes a track that is being processed as soon as it is ready', async () => {
    const [ready, waiting] = await drafts(2)
    await db()
      .query.updateTable('tracks')
      .set({ processing_status: 'processing' })
      .where('id', '=', waiting!)
      .execute()
    const id = await makeScheduled([ready!, waiting!], { early_access_days: 2 })
    await makeDue(id)
    expect(await publishDue()).toBe(1)
    const { early_access_until } = await release(id)
    expect(await track(waiting!)).toMatchObject({
      is_published: false,
      publish_when_ready: true,
      early_access_until,
    })
  })

  test('is not published while it has no visible track or is deleted', async () => {
    const empty = await makeScheduled([])
    const deleted = await makeScheduled(await drafts(1))
    await admin.call(deleteRelease, { params: { id: deleted } })
    await makeDue(empty)
    await makeDue(deleted)
    expect(await publishDue()).toBe(0)
    await admin.call(restoreRelease, { params: { id: deleted } })
    await update(empty, { tracks: [{ track_id: (await drafts(1))[0] }] })
    expect(await publishDue()).toBe(2)
  })

  test('is not published again after an admin has unpublished it', async () => {
    const id = await makeScheduled(await drafts(1))
    await makeDue(id)
    await publishDue()
    await admin.call(unpublishRelease, { params: { id } })
    expect(await publishDue()).toBe(0)
  })

  test.each([
    // In 2027, clocks in Berlin go forward on March 28 at 2:00 and back on October 31 at 3:00.
    ['2027-03-28T02:30', 3, '2027-03-28T01:30:00.000Z', '2027-03-31T01:30:00.000Z'],
    ['2027-03-26T18:00', 7, '2027-03-26T17:00:00.000Z', '2027-04-02T16:00:00.000Z'],
    ['2027-10-31T02:30', 1, '2027-10-31T00:30:00.000Z', '2027-11-01T01:30:00.000Z'],
    ['2027-10-29T18:00', 7, '2027-10-29T16:00:00.000Z', '2027-11-05T17:00:00.000Z'],
  ])(
    'is published at %s in Berlin, and its %i days of early access end by Berlin time',
    async (typed, early_access_days, at, until) => {
      const release_at = toInstant(typed, berlin).at.toISOString()
      expect(release_at).toBe(at)
      const [one] = await drafts(1)
      const id = await makeScheduled([one!], { release_at, early_access_days })
      await publishDue(new Date(Date.parse(at) - 1))
      expect(await release(id)).toMatchObject({ is_published: false, release_at })
      await publishDue(new Date(at))
      expect(await release(id)).toMatchObject({
        is_published: true,
        early_access_until: until,
        release_date: typed.slice(0, 10),
      })
      expect(await track(one!)).toMatchObject({ is_published: true, early_access_until: until })
    },
  )

  test(
    'is published within seconds by one of two instances, even if its date passed while none was running',
    { timeout: 60_000 },
    async () => {
      const overdue = await makeScheduled(await drafts(2))
      await makeDue(overdue, inMs(-3 * dayMs))
      const log = pino({ level: 'fatal' })
      const second = await startServices(server.services.config, log)
      const workers = await Promise.all([server.services, second.services].map(startWorker))
      try {
        const release_at = inMs(3000)
        const ids = await drafts(2)
        const id = await makeScheduled(ids, { release_at })
        await expect
          .poll(async () => (await release(id)).is_published, { timeout: 15_000, interval: 50 })
          .toBe(true)
        expect(Date.now() - Date.parse(release_at)).toBeLessThan(5000)
        for (const one of [id, overdue, ...ids]) expect(await publications(one)).toHaveLength(1)
        for (const one of ids) expect(await track(one)).toMatchObject({ is_published: true })
      } finally {
        for (const worker of workers) await worker.stop()
        second.beginShutdown()
        await second.close()
      }
    },
  )
})

/** Sends a Subsonic request with this person's device key. */
async function requestAsApp(who: Person, keys: Map<string, string>, path: string) {
  const key = keys.get(who.id) ?? ''
  return who.send('GET', `/rest/${path}${path.includes('?') ? '&' : '?'}f=json&apiKey=${key}`)
}

test(
  'before its release date, a release and its tracks appear in none of 1,000 responses',
  { timeout: 120_000 },
  async () => {
    const [one, two] = await drafts(2, 'Zyzzyva')
    await db()
      .query.updateTable('tracks')
      .set({ artist: 'Zyzzyva', lyrics: 'Zyzzyva', description: 'Zyzzyva' })
      .where('id', 'in', [one!, two!])
      .execute()
    const id = await makeScheduled([one!, two!], {
      title: 'Zyzzyva',
      label: 'Zyzzyva',
      artists: [{ name: 'Zyzzyva' }],
      early_access_days: 7,
    })
    const artist = await db()
      .query.selectFrom('artists')
      .select('id')
      .where('name', '=', 'Zyzzyva')
      .executeTakeFirstOrThrow()
    const premium = await server.makePerson({ tier: 'premium' })
    const keys = new Map<string, string>()
    for (const who of [member, premium]) {
      const created = await who.call(createDeviceKey, { body: { name: 'App' } })
      keys.set(who.id, created.body.data.key)
    }
    const { body: own } = await premium.call(createPlaylist, { body: { title: 'Mine' } })
    // The release and its track were liked before they were hidden.
    const user_id = premium.id
    await db().query.insertInto('release_likes').values({ user_id, release_id: id }).execute()
    await db().query.insertInto('likes').values({ user_id, track_id: one! }).execute()
    await db()
      .query.insertInto('playlist_tracks')
      .values({ playlist_id: own.id, track_id: one!, order_index: 0 })
      .execute()
    const events = await recordEvents(server.url, member.cookie)
    const attempts: ((who: Person) => Promise<{ body: unknown }>)[] = [
      (who) => who.call(listReleases, { query: {} }),
      (who) => who.call(listReleases, { query: { q: 'zyzz' } }),
      (who) => who.call(listReleases, { query: { order: 'title', limit: 200 } }),
      (who) => who.call(listReleases, { query: { liked: 'true' } }),
      (who) => who.call(listReleases, { query: { artist: artist.id } }),
      (who) => who.call(getRelease, { params: { id } }),
      (who) => who.call(getRelease, { params: { id: 'zyzzyva' } }),
      (who) => who.call(likeRelease, { params: { id } }),
      (who) => who.call(listArtists, { query: { q: 'zyzz' } }),
      (who) => who.call(getArtist, { params: { id: artist.id } }),
      (who) => who.call(listTracks, { query: { q: 'zyzz' } }),
      (who) => who.call(listTracks, { query: { liked: 'true' } }),
      (who) => who.call(getTrack, { params: { id: one! } }),
      (who) => who.call(listPlaylistTracks, { params: { id: own.id }, query: {} }),
      (who) => who.call(listShowcase, {}),
      (who) => who.send('GET', '/api/mixes'),
      (who) => who.send('GET', `/api/tracks/${one}/stream`),
      (who) => who.send('GET', `/api/tracks/${two}/preview`),
      (who) => who.send('GET', `/api/tracks/${one}/similar`),
      (who) => who.send('POST', '/api/radio', { body: { seed: { kind: 'track', id: one } } }),
      (who) => who.send('GET', '/api/profile/data'),
      (who) => who.send('GET', '/api/admin-releases'),
      (who) => who.send('GET', `/api/admin-releases/${id}`),
      (who) => who.send('GET', `/api/admin-releases/${id}/export`),
      (who) => who.send('GET', '/'),
      (who) => who.send('GET', '/sitemap.xml'),
      (who) => requestAsApp(who, keys, 'getAlbumList2?type=newest&size=500'),
      (who) => requestAsApp(who, keys, 'search3?query=zyzz'),
      (who) => requestAsApp(who, keys, 'getStarred2'),
      (who) => requestAsApp(who, keys, `getAlbum?id=al-${id}`),
      (who) => requestAsApp(who, keys, `getSong?id=tr-${one}`),
      (who) => requestAsApp(who, keys, `getArtist?id=ar-${artist.id}`),
      (who) => requestAsApp(who, keys, 'getArtists'),
    ]
    const callers = [member, premium, server.nobody as Person]
    let requestCount = 0
    for (let round = 0; requestCount < 1000; round++) {
      const attempt = attempts[round % attempts.length]!
      for (const who of callers) {
        const { body } = await attempt(who)
        const text = JSON.stringify(body ?? '').toLowerCase()
        expect(text.includes('zyzzyva'), attempt.toString()).toBe(false)
        requestCount++
      }
    }
    const received = JSON.stringify(events.events)
    for (const secret of [id, one!, two!]) expect(received).not.toContain(secret)
    events.stop()
    expect(await release(id)).toMatchObject({ is_published: false })
  },
)
