// Tracks in early access and Premium-only tracks: who gets the full audio over HTTP, and when access ends.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateAdminTrack } from '#contract/admin/admin-tracks.ts'
import { createPlaylist, addTrackToPlaylist } from '#contract/playlists.ts'
import { reportPlay } from '#contract/plays.ts'
import { getTrack, likeTrack, listTracks } from '#contract/tracks.ts'
import { transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let server: TestApp
let free: Person
let premium: Person
let admin: Person
let clockMs = Date.now()

beforeAll(async () => {
  server = await createTestApp({}, { now: () => new Date(clockMs) })
  free = await server.makePerson()
  premium = await server.makePerson({ tier: 'monthly' })
  admin = await server.makePerson({ role: 'admin' })
})
afterAll(() => server.close())

interface Availability {
  audience?: 'members' | 'premium'
  early_access_until?: string | null
}

async function makeTrack(
  availability: Availability,
  kinds: readonly ('standard' | 'high' | 'preview')[] = ['standard', 'high', 'preview'],
): Promise<string> {
  const { db, storage } = server.services
  const [id] = await makeTracks(db, 1)
  const columns = { audience: 'members', ...availability } as const
  await db.query.updateTable('tracks').set(columns).where('id', '=', id!).execute()
  for (const kind of kinds) {
    const storage_key = `audio/${id}/${kind}.m4a`
    const { etag } = await storage.put(storage_key, Buffer.alloc(1000))
    await db.query
      .insertInto('renditions')
      .values({
        track_id: id!,
        kind,
        storage_key,
        mime: 'audio/mp4',
        byte_size: 1000,
        duration_seconds: 1,
        etag,
        preview_length_seconds: kind === 'preview' ? 45 : null,
      })
      .execute()
  }
  return id!
}

const later = () => new Date(clockMs + 60_000).toISOString()
const stream = (who: Person, id: string, query = '') =>
  who.send('GET', `/api/tracks/${id}/stream${query}`, { headers: { range: 'bytes=0-9' } })

const readRefusal = async (who: Person, id: string, query = '') => {
  const { status, code, body } = await stream(who, id, query)
  return { status, code, details: (body as { error?: { details?: unknown } }).error?.details }
}

describe.each([
  ['with a preview', ['standard', 'high', 'preview'] as const],
  ['without a preview', ['standard', 'high'] as const],
])('a track %s', (_what, kinds) => {
  test('in early access returns 403 to free members, with the reason and the end of early access', async () => {
    const until = later()
    const id = await makeTrack({ early_access_until: until }, kinds)
    const details = { reason: 'early_access', until }
    const expected = { status: 403, code: 'premium_required', details }
    expect(await readRefusal(free, id)).toEqual(expected)
    expect(await readRefusal(free, id, '?keep=true')).toEqual(expected)
    for (const who of [premium, admin]) expect((await stream(who, id)).status).toBe(206)
  })

  test('that is Premium-only returns 403 to free members', async () => {
    const id = await makeTrack({ audience: 'premium', early_access_until: later() }, kinds)
    const details = { reason: 'premium_only' }
    expect(await readRefusal(free, id)).toEqual({ status: 403, code: 'premium_required', details })
    for (const who of [premium, admin]) expect((await stream(who, id)).status).toBe(206)
  })
})

test('early access ends on time, even for cached files', async () => {
  const id = await makeTrack({ early_access_until: later() }, ['standard', 'high'])
  expect((await stream(free, id)).status).toBe(403)
  clockMs += 59_999
  expect((await stream(free, id)).status).toBe(403)
  clockMs += 1
  expect((await stream(free, id)).status).toBe(206)
})

test('members can play the preview of a restricted track', async () => {
  for (const availability of [{ audience: 'premium' } as const, { early_access_until: later() }]) {
    const id = await makeTrack(availability)
    const preview = await free.send('GET', `/api/tracks/${id}/preview`)
    expect(preview.status).toBe(200)
  }
})

test('members see restricted tracks with the restriction, and can like them and add them to playlists', async () => {
  const until = later()
  const early = await makeTrack({ early_access_until: until })
  const only = await makeTrack({ audience: 'premium', early_access_until: later() })
  const { body } = await free.call(listTracks, { query: {} })
  const marks = new Map(
    body.data.map(({ id, premium_only, early_access_until }) => [
      id,
      { premium_only, early_access_until },
    ]),
  )
  expect(marks.get(early)).toEqual({ premium_only: false, early_access_until: until })
  expect(marks.get(only)).toEqual({ premium_only: true, early_access_until: null })
  const { body: own } = await free.call(createPlaylist, { body: { title: 'Mine' } })
  for (const id of [early, only]) {
    expect((await free.call(likeTrack, { params: { id } })).status).toBe(204)
    const added = await free.call(addTrackToPlaylist, {
      params: { id: own.id },
      body: { track_id: id },
    })
    expect(added.status).toBe(201)
  }
})

test('cached lists contain a changed audience', async () => {
  const id = await makeTrack({})
  const shown = async () =>
    (await free.call(listTracks, { query: {} })).body.data.find((track) => track.id === id)
  expect(await shown()).toMatchObject({ premium_only: false })
  await admin.call(updateAdminTrack, { params: { id }, body: { audience: 'premium' } })
  await expect.poll(async () => (await shown())?.premium_only).toBe(true)
  expect((await stream(free, id)).status).toBe(403)
  await admin.call(updateAdminTrack, {
    params: { id },
    body: { audience: 'members', early_access_days: 2 },
  })
  await expect.poll(async () => (await shown())?.early_access_until).toBeTruthy()
  expect(await readRefusal(free, id)).toMatchObject({ details: { reason: 'early_access' } })
  expect((await free.call(getTrack, { params: { id } })).body.premium_only).toBe(false)
})

test('a plan that ends during early access takes effect immediately', async () => {
  const id = await makeTrack({ early_access_until: later() }, ['standard', 'high'])
  const person = await server.makePerson({ tier: 'monthly' })
  expect((await stream(person, id)).status).toBe(206)
  await transaction(server.services.db, async (trx) => {
    await trx.query
      .updateTable('profiles')
      .set({ subscription_status: 'inactive' })
      .where('id', '=', person.id)
      .execute()
    await notify(trx, 'sessions', person.id)
  })
  await expect.poll(async () => (await stream(person, id)).status).toBe(403)
})

test("a free member's play of a Premium-only track is stored as a play of the preview", async () => {
  const id = await makeTrack({ audience: 'premium' }, ['standard', 'high'])
  const play_id = randomUUID()
  const body = {
    play_id,
    track_id: id,
    heard_seconds: 0,
    position_seconds: 0,
    duration_seconds: 100,
  }
  expect((await free.call(reportPlay, { body })).status).toBe(200)
  const play = await server.services.db.query
    .selectFrom('plays')
    .select('is_preview')
    .where('id', '=', play_id)
    .executeTakeFirstOrThrow()
  expect(play.is_preview).toBe(true)
})
