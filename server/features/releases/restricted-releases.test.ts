// Releases in early access and Premium-only releases: what members see, and which tracks get the release's availability
// rule.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createRelease,
  publishRelease,
  unpublishRelease,
  updateRelease,
} from '#contract/admin/admin-releases.ts'
import { updateAdminTrack } from '#contract/admin/admin-tracks.ts'
import type { Audience } from '#contract/fields/availability.ts'
import { getRelease, listReleases } from '#contract/releases.ts'
import { getTrack } from '#contract/tracks.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

const dayMs = 24 * 3600_000
let app: TestApp
let admin: Person
let free: Person
let premium: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  free = await app.makePerson()
  premium = await app.makePerson({ tier: 'monthly' })
})
afterAll(() => app.close())

const db = () => app.services.db

/** Creates published tracks with all audio files. */
async function makePlayable(count: number): Promise<string[]> {
  const ids = await makeTracks(db(), count)
  for (const id of ids) {
    for (const kind of ['standard', 'high', 'preview'] as const) {
      const storage_key = `audio/${id}/${kind}.m4a`
      const { etag } = await app.services.storage.put(storage_key, Buffer.alloc(100))
      await db()
        .query.insertInto('renditions')
        .values({
          track_id: id,
          kind,
          storage_key,
          mime: 'audio/mp4',
          byte_size: 100,
          duration_seconds: 1,
          etag,
          preview_length_seconds: kind === 'preview' ? 45 : null,
        })
        .execute()
    }
  }
  return ids
}

async function make(ids: readonly string[], fields: object = {}): Promise<string> {
  const body = { title: 'Album', tracks: ids.map((track_id) => ({ track_id })), ...fields }
  const { id } = (await admin.call(createRelease, { body })).body
  await admin.call(publishRelease, { params: { id }, body: { publish_tracks: true } })
  return id
}

const update = (id: string, body: object) => admin.call(updateRelease, { params: { id }, body })
const streamOf = async (who: Person, id: string) =>
  (await who.send('GET', `/api/tracks/${id}/stream`)).status
const marks = async (id: string) => {
  const { premium_only, early_access_until } = (await free.call(getTrack, { params: { id } })).body
  return { premium_only, early_access_until: early_access_until !== null }
}
const open = { premium_only: false, early_access_until: false }
const premiumOnly = { premium_only: true, early_access_until: false }
const early = { premium_only: false, early_access_until: true }

describe.each([
  ['in early access', { early_access_days: 5 }, early],
  ['for Premium only', { audience: 'premium' }, premiumOnly],
])('a release %s', (_what, rule, expected) => {
  test('is visible to all members with its restriction, but fully playable only with Premium', async () => {
    const ids = await makePlayable(2)
    const id = await make(ids, rule)
    for (const who of [free, premium]) {
      const { body } = await who.call(getRelease, { params: { id } })
      expect(body).toMatchObject({ premium_only: expected.premium_only, track_count: 2 })
      expect(body.early_access_until !== null).toBe(expected.early_access_until)
      const listed = (await who.call(listReleases, { query: {} })).body.data
      expect(listed.find((one) => one.id === id)).toMatchObject({
        premium_only: body.premium_only,
        early_access_until: body.early_access_until,
      })
      for (const track of body.tracks) {
        expect(track.early_access_until).toBe(body.early_access_until)
        expect(track.premium_only).toBe(expected.premium_only)
      }
    }
    for (const track of ids) {
      expect(await streamOf(free, track)).toBe(403)
      expect(await streamOf(premium, track)).toBe(200)
      expect((await free.send('GET', `/api/tracks/${track}/preview`)).status).toBe(200)
      const download = await free.send('GET', `/api/tracks/${track}/stream?keep=true`)
      expect([download.status, download.code]).toEqual([403, 'premium_required'])
    }
  })

  test('applies a changed rule to its tracks, and reverts their rule when it is changed back', async () => {
    const ids = await makeTracks(db(), 2)
    const id = await make(ids)
    expect(await marks(ids[0]!)).toEqual(open)
    await update(id, rule)
    for (const track of ids) expect(await marks(track)).toEqual(expected)
    await update(id, { audience: 'members', early_access_days: 0 })
    for (const track of ids) expect(await marks(track)).toEqual(open)
  })

  test('does not change tracks with their own rule', async () => {
    const [follower, teaser] = await makeTracks(db(), 2)
    const id = await make([follower!, teaser!], rule)
    const own = { audience: 'members', early_access_days: 0 } as const
    await admin.call(updateAdminTrack, { params: { id: teaser! }, body: own })
    expect(await marks(teaser!)).toEqual(open)
    await update(id, { title: 'Renamed', tracks: [{ track_id: teaser! }, { track_id: follower! }] })
    expect(await marks(teaser!)).toEqual(open)
    expect(await marks(follower!)).toEqual(expected)
  })

  test('does not restrict tracks that another release opens to all members', async () => {
    const [shared, only] = await makeTracks(db(), 2)
    await make([shared!])
    await make([shared!, only!], rule)
    expect(await marks(shared!)).toEqual(open)
    expect(await marks(only!)).toEqual(expected)
  })

  test('applies its rule to added tracks, including unpublished ones', async () => {
    const [first, added] = await makeTracks(db(), 2)
    const [draft] = await makeTracks(db(), 1, { published: false })
    const id = await make([first!], rule)
    const tracks = [first!, added!, draft!].map((track_id) => ({ track_id }))
    await update(id, { tracks })
    await admin.call(publishRelease, { params: { id }, body: { publish_tracks: true } })
    for (const track of [added!, draft!]) expect(await marks(track)).toEqual(expected)
  })

  test('keeps its tracks restricted after it is unpublished', async () => {
    const [track] = await makeTracks(db(), 1)
    const id = await make([track!], rule)
    await admin.call(unpublishRelease, { params: { id } })
    expect(await marks(track!)).toEqual(expected)
  })
})

describe('a release for everyone', () => {
  const audiencesOf = async (ids: readonly string[]) => {
    const rows = await db()
      .query.selectFrom('tracks')
      .select(['id', 'audience'])
      .where('id', 'in', ids)
      .execute()
    return ids.map((id) => rows.find((row) => row.id === id)?.audience)
  }
  const setDefault = async (audience: string) => {
    await app.asOwner(`update settings set default_audience = '${audience}'`)
  }
  const makeFor = async (...audiences: Audience[]) => {
    const ids = await makeTracks(db(), audiences.length)
    for (const [at, audience] of audiences.entries()) {
      await db().query.updateTable('tracks').set({ audience }).where('id', '=', ids[at]!).execute()
    }
    return ids
  }

  test('opens its tracks to everyone, including those added later, and reverts this when its audience changes back', async () => {
    const [first, added] = await makeTracks(db(), 2)
    const id = await make([first!], { audience: 'everyone' })
    await update(id, { tracks: [first!, added!].map((track_id) => ({ track_id })) })
    expect(await audiencesOf([first!, added!])).toEqual(['everyone', 'everyone'])
    await update(id, { audience: 'members' })
    expect(await audiencesOf([first!, added!])).toEqual(['members', 'members'])
  })

  test('does not open Premium-only tracks', async () => {
    const ids = await makeFor('premium', 'members')
    await make(ids, { audience: 'everyone' })
    expect(await audiencesOf(ids)).toEqual(['premium', 'everyone'])
  })

  test('keeps its tracks open when a more restricted release also contains them', async () => {
    for (const other of [{ audience: 'premium' }, { audience: 'members' }]) {
      const [shared] = await makeTracks(db(), 1)
      await make([shared!], { audience: 'everyone' })
      const second = await make([shared!], { audience: 'everyone' })
      await update(second, other)
      expect(await audiencesOf([shared!])).toEqual(['everyone'])
    }
  })

  test('a more restricted release applies its rule to new tracks for everyone', async () => {
    await setDefault('everyone')
    for (const audience of ['premium', 'members'] as const) {
      const ids = await makeFor('everyone', 'members')
      await make(ids, { audience })
      expect(await audiencesOf(ids)).toEqual([audience, audience])
    }
    await setDefault('members')
  })

  test('a track for everyone stays public on a Premium-only album if the default audience is members', async () => {
    const ids = await makeFor('everyone', 'members')
    await make(ids, { audience: 'premium' })
    expect(await audiencesOf(ids)).toEqual(['everyone', 'premium'])
  })
})

test('early access of a release ends automatically, and is not granted again', async () => {
  const [track] = await makePlayable(1)
  const id = await make([track!], { early_access_days: 1 })
  expect(await streamOf(free, track!)).toBe(403)
  const early_access_until = new Date(Date.now() - 1).toISOString()
  for (const table of ['releases', 'tracks'] as const) {
    await db()
      .query.updateTable(table)
      .set({ early_access_until })
      .where('id', '=', table === 'tracks' ? track! : id)
      .execute()
  }
  await admin.call(unpublishRelease, { params: { id } })
  await admin.call(publishRelease, { params: { id }, body: {} })
  const { body } = await free.call(getRelease, { params: { id } })
  expect(body).toMatchObject({ premium_only: false, early_access_until: null })
  expect((await free.call(getTrack, { params: { id: track! } })).body.early_access_until).toBeNull()
})

test('early access added to an already published release starts at that time', async () => {
  const [track] = await makeTracks(db(), 1)
  const id = await make([track!])
  const before = Date.now()
  await update(id, { early_access_days: 3, release_zone: 'UTC' })
  const { early_access_until } = (await free.call(getRelease, { params: { id } })).body
  const lastsMs = Date.parse(early_access_until!) - before
  expect(lastsMs).toBeGreaterThanOrEqual(3 * dayMs)
  expect(lastsMs).toBeLessThan(3 * dayMs + 60_000)
})

test('writes an audit entry with the old and new rule for each changed track', async () => {
  const [track] = await makeTracks(db(), 1)
  const id = await make([track!])
  await update(id, { audience: 'premium' })
  const entry = await db()
    .query.selectFrom('audit_log')
    .select(['actor_id', 'before', 'after'])
    .where('entity', '=', 'track')
    .where('entity_id', '=', track!)
    .where('action', '=', 'update')
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({
    actor_id: admin.id,
    before: { audience: 'members' },
    after: { audience: 'premium', reason: 'it follows its release' },
  })
})
