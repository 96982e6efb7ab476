import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listRecentlyPlayed, reportPlay } from '#contract/plays.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let person: Person
let clockMs = Date.parse('2026-11-21T12:00:00Z')

const advanceClock = (seconds: number) => void (clockMs += seconds * 1000)

beforeAll(async () => {
  app = await createTestApp({}, { now: () => new Date(clockMs) })
})
beforeEach(async () => {
  person = await app.makePerson()
})
afterAll(() => app.close())

/** Creates published tracks of the given duration. */
async function makeTracksOf(durationSeconds: number, count = 1): Promise<string[]> {
  const { db } = app.services
  const ids = await makeTracks(db, count)
  await db.query
    .updateTable('tracks')
    .set({ duration: durationSeconds })
    .where('id', 'in', ids)
    .execute()
  return ids
}

const makeTrack = async (durationSeconds: number) => (await makeTracksOf(durationSeconds))[0]!

/** Sends a report of a play, as a player does. */
async function report(
  play: { play_id: string; track_id: string },
  heard_seconds: number,
  more: {
    position_seconds?: number
    duration_seconds?: number
    by?: Person
    /** The share of the track that is recorded as sent before the report. */
    sentShare?: number
  } = {},
) {
  const { by = person, position_seconds = heard_seconds, duration_seconds = 200 } = more
  const { sentShare = 1 } = more
  const file = { user_id: by.id, track_id: play.track_id, is_preview: false }
  if (sentShare > 0) app.services.sentAudio.add(file, sentShare)
  const body = { ...play, heard_seconds, position_seconds, duration_seconds }
  const response = await by.call(reportPlay, { body })
  return response.code ?? response.body.is_counted
}

const newPlay = (track_id: string) => ({ play_id: randomUUID(), track_id })
const rowOf = (id: string) =>
  app.services.db.query.selectFrom('plays').selectAll().where('id', '=', id).executeTakeFirst()
const recent = async (by = person) =>
  (await by.call(listRecentlyPlayed, {})).body.data.map(({ id }) => id)

test('a play is counted once, after thirty seconds', async () => {
  const play = newPlay(await makeTrack(200))
  expect(await report(play, 0)).toBe(false)
  for (const listened of [10, 20, 29]) {
    advanceClock(listened === 29 ? 9 : 10)
    expect(await report(play, listened)).toBe(false)
  }
  advanceClock(1)
  expect(await report(play, 30)).toBe(true)
  const counted = await rowOf(play.play_id)
  advanceClock(10)
  expect(await report(play, 40)).toBe(true)
  expect(await report(play, 40)).toBe(true)
  expect(await rowOf(play.play_id)).toMatchObject({
    heard_seconds: 40,
    counted_at: counted?.counted_at,
    completed: false,
    is_preview: false,
  })
})

test('a play of a short track is counted after half of its duration', async () => {
  const play = newPlay(await makeTrack(20))
  await report(play, 0)
  advanceClock(9)
  expect(await report(play, 9)).toBe(false)
  advanceClock(1)
  expect(await report(play, 10)).toBe(true)
})

test('counts no more seconds than have passed since the start', async () => {
  const play = newPlay(await makeTrack(200))
  expect(await report(play, 200)).toBe(false)
  advanceClock(10)
  expect(await report(play, 10_000)).toBe(false)
  expect((await rowOf(play.play_id))?.heard_seconds).toBeCloseTo(11.5)
  advanceClock(20)
  expect(await report(play, 30)).toBe(true)
})

test("reports that arrive out of order do not reduce a play's seconds", async () => {
  const play = newPlay(await makeTrack(200))
  await report(play, 0)
  advanceClock(20)
  await report(play, 20)
  await report(play, 10)
  expect((await rowOf(play.play_id))?.heard_seconds).toBe(20)
})

test('a play up to the end is completed, but not if the player only seeks to the end', async () => {
  person = await app.makePerson({ tier: 'premium' })
  const [listened, jumped] = [newPlay(await makeTrack(60)), newPlay(await makeTrack(60))]
  await report(listened, 0)
  await report(jumped, 0)
  advanceClock(58)
  await report(listened, 58, { position_seconds: 59, duration_seconds: 60 })
  await report(jumped, 10, { position_seconds: 59, duration_seconds: 60 })
  expect((await rowOf(listened.play_id))?.completed).toBe(true)
  expect((await rowOf(jumped.play_id))?.completed).toBe(false)
})

test('a report of another person or for another track does not continue a play', async () => {
  const [first, second] = await makeTracksOf(200, 2)
  const play = newPlay(first!)
  await report(play, 0)
  advanceClock(30)
  const eve = await app.makePerson()
  expect(await report(play, 30, { by: eve })).toBe('conflict')
  expect(await report({ ...play, track_id: second! }, 30)).toBe('conflict')
  expect((await rowOf(play.play_id))?.heard_seconds).toBe(0)
})

test('rejects plays of unpublished and unknown tracks', async () => {
  const [hidden] = await makeTracks(app.services.db, 1, { published: false })
  expect(await report(newPlay(hidden!), 0)).toBe('track_not_found')
  expect(await report(newPlay(randomUUID()), 0)).toBe('track_not_found')
})

test("an admin's play of a draft is neither counted nor listed as recently played", async () => {
  const [draft] = await makeTracks(app.services.db, 1, { published: false })
  const admin = await app.makePerson({ role: 'admin' })
  const play = newPlay(draft!)
  expect(await report(play, 0, { by: admin })).toBe(false)
  advanceClock(40)
  expect(await report(play, 40, { by: admin })).toBe(false)
  expect(await rowOf(play.play_id)).toBeUndefined()
  await app.services.db.query
    .updateTable('tracks')
    .set({ is_published: true })
    .where('id', '=', draft!)
    .execute()
  expect(await recent(admin)).toEqual([])
})

test.each([
  ['free', 1],
  ['premium', 3],
] as const)(
  'if a dozen %s plays run concurrently, at most %s are counted',
  async (tier, places) => {
    person = await app.makePerson({ tier })
    const plays = (await makeTracksOf(200, 12)).map(newPlay)
    await Promise.all(plays.map((play) => report(play, 0)))
    for (let i = 0; i < 4; i++) {
      advanceClock(30)
      const counted = await Promise.all(plays.map((play) => report(play, 30)))
      expect(counted.filter((isCounted) => isCounted === true)).toHaveLength(places)
    }
  },
)

test('a play that was ended by a newer one counts the seconds until then', async () => {
  const [first, second] = (await makeTracksOf(200, 2)).map(newPlay) as [never, never]
  await report(first, 0)
  advanceClock(35)
  await report(second, 0)
  advanceClock(1)
  // The last report of the first play arrives late.
  expect(await report(first, 35)).toBe(true)
  advanceClock(29)
  expect(await report(second, 30)).toBe(true)
})

test('a play is counted only once its audio was sent to the account', async () => {
  const play = newPlay(await makeTrack(200))
  await report(play, 0, { sentShare: 0 })
  advanceClock(40)
  expect(await report(play, 40, { sentShare: 0 })).toBe(false)
  const eve = await app.makePerson()
  const theirs = { user_id: eve.id, track_id: play.track_id, is_preview: false }
  app.services.sentAudio.add(theirs, 1)
  expect(await report(play, 40, { sentShare: 0 })).toBe(false)
  // Only 26 of the required 30 seconds were sent.
  expect(await report(play, 40, { sentShare: 26 / 200 })).toBe(false)
  expect(await report(play, 40, { sentShare: 4 / 200 })).toBe(true)
})

test('audio that was sent once may be replayed from the device, and the replay is counted', async () => {
  const track = await makeTrack(60)
  for (let i = 0; i < 3; i++) {
    const play = newPlay(track)
    await report(play, 0, { sentShare: i === 0 ? 1 : 0 })
    advanceClock(60)
    expect(await report(play, 60, { sentShare: 0 })).toBe(true)
  }
})

test('a track is counted once within its duration, regardless of the number of devices', async () => {
  person = await app.makePerson({ tier: 'premium' })
  const track = await makeTrack(100)
  let counted = 0
  for (let i = 0; i < 20; i++) {
    const play = newPlay(track)
    await report(play, 0)
    advanceClock(30)
    if ((await report(play, 30)) === true) counted++
  }
  expect(counted).toBe(5)
})

test('ten minutes of faked plays are counted no higher than real listening on all devices', async () => {
  person = await app.makePerson({ tier: 'premium' })
  const tracks = await makeTracksOf(60, 20)
  let counted = 0
  for (let passed = 0; passed < 600; passed += 30) {
    const plays = tracks.slice(0, 6).map(newPlay)
    tracks.push(...tracks.splice(0, 6))
    for (const play of plays) await report(play, 0)
    advanceClock(30)
    for (const play of plays) if ((await report(play, 30)) === true) counted++
  }
  expect(counted).toBeGreaterThan(0)
  expect(counted).toBeLessThanOrEqual((3 * 600) / 30)
})

test("a free member's play of a track with a preview is stored as a preview", async () => {
  const track_id = await makeTrack(200)
  await app.services.db.query
    .insertInto('renditions')
    .values({
      track_id,
      kind: 'preview',
      storage_key: `audio/${track_id}/preview.m4a`,
      mime: 'audio/mp4',
      byte_size: 1,
      duration_seconds: 45,
      etag: '"x"',
      preview_length_seconds: 45,
    })
    .execute()
  const premium = await app.makePerson({ tier: 'premium' })
  const [previewed, whole] = [newPlay(track_id), newPlay(track_id)]
  await report(previewed, 0)
  await report(whole, 0, { by: premium })
  expect((await rowOf(previewed.play_id))?.is_preview).toBe(true)
  expect((await rowOf(whole.play_id))?.is_preview).toBe(false)
})

test("recently played lists the member's published tracks once each, newest first", async () => {
  const [a, b, c] = (await makeTracksOf(200, 3)) as [string, string, string]
  expect(await recent()).toEqual([])
  for (const track of [a, b, c, a]) {
    const play = newPlay(track)
    await report(play, 0)
    advanceClock(6)
    await report(play, 6)
  }
  await report(newPlay(b), 0)
  expect(await recent()).toEqual([a, c, b])
  expect(await recent(await app.makePerson())).toEqual([])
  await app.services.db.query
    .updateTable('tracks')
    .set({ is_published: false })
    .where('id', '=', c)
    .execute()
  expect(await recent()).toEqual([a, b])
  const { body } = await person.call(listRecentlyPlayed, { query: { limit: 1 } })
  expect(body.data).toMatchObject([{ id: a, audio_url: `/api/tracks/${a}/stream` }])
})
