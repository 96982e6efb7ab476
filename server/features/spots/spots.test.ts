import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createSpot,
  deleteSpot,
  listSpots,
  updateSpot,
  updateSpotRules,
  type AdminSpot,
  type SpotRules,
} from '#contract/admin/service/admin-spots.ts'
import { createCategory } from '#contract/admin/admin-categories.ts'
import { reportPlay } from '#contract/plays.ts'
import { getNextSpot, reportSpot, streamSpot, type SpotEvent } from '#contract/spots.ts'
import { createSine, encodeWav } from '../../testing/audio-fixtures.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { uploadWav } from '../../testing/upload-track.ts'
import { processSpot } from './process-spot.ts'

const job = { signal: new AbortController().signal, isLastAttempt: true }
const usualRules: SpotRules = {
  every_songs: 2,
  per_hour: 3,
  skip_after_seconds: null,
  offers_premium: false,
}
let app: TestApp
let admin: Person
let member: Person
let track_id: string
let clockMs = Date.now()

beforeAll(async () => {
  app = await createTestApp({}, { now: () => new Date(clockMs) })
  admin = await app.makePerson({ role: 'admin' })
  track_id = (await makeTracks(app.services.db, 1))[0]!
})
beforeEach(async () => {
  await app.services.db.query.deleteFrom('spots').execute()
  await setRules({})
  member = await app.makePerson()
})
afterAll(() => app.close())

const pass = (seconds: number) => void (clockMs += seconds * 1000)

async function setRules(changes: Partial<SpotRules>): Promise<void> {
  const answer = await admin.call(updateSpotRules, { body: { ...usualRules, ...changes } })
  expect(answer.status).toBe(200)
}

async function addCard(more: object = {}): Promise<AdminSpot> {
  const body = { kind: 'card', title: 'Tour', is_on: true, ...more } as const
  const answer = await admin.call(createSpot, { body })
  expect(answer.status).toBe(201)
  return answer.body
}

async function addSound(seconds = 2): Promise<AdminSpot> {
  const wav = encodeWav(createSine(440, -8), { seconds, sampleRate: 22_050, channels: 1 })
  const audio_path = await uploadWav(app, admin, wav)
  const body = { kind: 'sound', title: 'New album', is_on: true, audio_path } as const
  return (await admin.call(createSpot, { body })).body
}

/** Reports tracks as played, in the same way as a player. */
async function play(songs: number, by = member, id = track_id): Promise<void> {
  for (let song = 0; song < songs; song += 1) {
    const body = {
      play_id: randomUUID(),
      track_id: id,
      position_seconds: 0,
      duration_seconds: 200,
    }
    await by.call(reportPlay, { body: { ...body, heard_seconds: 0 } })
    pass(10)
    await by.call(reportPlay, { body: { ...body, heard_seconds: 10, position_seconds: 10 } })
  }
}

const next = async (by = member, id = track_id) =>
  (await by.call(getNextSpot, { query: { track_id: id } })).body.data

async function report(id: string, spot_id: string | null, event: SpotEvent, by = member) {
  const answer = await by.call(reportSpot, { params: { id }, body: { spot_id, event } })
  // Advance the clock, because only tracks that start later than the spot count.
  pass(0.1)
  return answer
}

const figures = async (id: string) => {
  const { data } = (await admin.call(listSpots, {})).body
  const { shown, finished, clicked } = data.find((spot) => spot.id === id)!
  return [shown, finished, clicked]
}

describe('timing of spots', () => {
  test('a spot is due after the configured number of tracks, and the next one after as many again', async () => {
    const { id } = await addCard()
    expect(await next()).toBeNull()
    await play(1)
    expect(await next()).toBeNull()
    await play(1)
    expect(await next()).toMatchObject({ id, kind: 'card', title: 'Tour' })
    expect((await report(randomUUID(), id, 'started')).status).toBe(204)
    expect(await next()).toBeNull()
    await play(2)
    expect(await next()).toMatchObject({ id })
  })

  test('tracks that were skipped right away do not count', async () => {
    await addCard()
    for (let skip = 0; skip < 5; skip += 1) {
      const body = { play_id: randomUUID(), track_id, heard_seconds: 0, position_seconds: 0 }
      await member.call(reportPlay, { body: { ...body, duration_seconds: 200 } })
      pass(1)
    }
    expect(await next()).toBeNull()
  })

  test('plays at most the configured number of spots per hour', async () => {
    await setRules({ every_songs: 1, per_hour: 2 })
    const { id } = await addCard()
    for (let spot = 0; spot < 2; spot += 1) {
      await play(1)
      expect((await report(randomUUID(), id, 'started')).status).toBe(204)
    }
    await play(3)
    expect(await next()).toBeNull()
    expect((await report(randomUUID(), id, 'started')).code).toBe('conflict')
    pass(3600)
    expect(await next()).toMatchObject({ id })
  })

  test('plays a spot only between its dates, while it is on, and after tracks of its categories', async () => {
    const category = `mood-${member.id}`
    const made = await admin.call(createCategory, { body: { category, display_name: 'Mood' } })
    const other = (await makeTracks(app.services.db, 1))[0]!
    await app.services.db.query
      .updateTable('tracks')
      .set({ category })
      .where('id', '=', other)
      .execute()
    const hour = (hours: number) => new Date(clockMs + hours * 3_600_000).toISOString()
    const { id } = await addCard({ category_ids: [made.body.id] })
    await play(2)
    expect(await next()).toBeNull()
    expect(await next(member, other)).toMatchObject({ id })
    const change = (body: object) => admin.call(updateSpot, { params: { id }, body })
    for (const body of [{ is_on: false }, { is_on: true, starts_at: hour(1) }]) {
      await change(body)
      expect(await next(member, other)).toBeNull()
    }
    await change({ starts_at: hour(-2), ends_at: hour(-1) })
    expect(await next(member, other)).toBeNull()
    expect((await change({ starts_at: hour(2), ends_at: hour(1) })).code).toBe('spot_dates')
    await change({ starts_at: null, ends_at: hour(1) })
    expect(await next(member, other)).toMatchObject({ id })
  })

  test('returns the spot that the member has not had for the longest time', async () => {
    await setRules({ every_songs: 1, per_hour: 30 })
    const ids = [(await addCard()).id, (await addCard()).id, (await addCard()).id]
    const seen: string[] = []
    for (let spot = 0; spot < 6; spot += 1) {
      await play(1)
      const { id } = (await next())!
      seen.push(id!)
      await report(randomUUID(), id, 'started')
    }
    expect(new Set(seen.slice(0, 3))).toEqual(new Set(ids))
    expect(seen.slice(3)).toEqual(seen.slice(0, 3))
  })

  test('offers Premium at the same intervals when there are no spots', async () => {
    await setRules({ offers_premium: true })
    await play(2)
    expect(await next()).toMatchObject({ id: null, kind: 'offer', audio_url: null })
    expect((await report(randomUUID(), null, 'started')).status).toBe(204)
    expect(await next()).toBeNull()
  })
})

describe('recipients of spots', () => {
  test('Premium members and admins get no spot, and cannot report one', async () => {
    const { id } = await addCard()
    const premium = await app.makePerson({ tier: 'premium' })
    for (const person of [premium, admin]) {
      await play(3, person)
      expect(await next(person)).toBeNull()
      expect((await report(randomUUID(), id, 'started', person)).code).toBe('conflict')
    }
    expect((await app.nobody.call(getNextSpot, { query: { track_id } })).status).toBe(401)
  })

  test('members without Premium get the audio while the spot is on; admins always get it', async () => {
    const { id } = await addSound()
    await processSpot(app.services, id, job)
    const premium = await app.makePerson({ tier: 'premium' })
    const streamStatus = async (by: Pick<Person, 'call'>) =>
      (await by.call(streamSpot, { params: { id } })).status
    expect([await streamStatus(member), await streamStatus(admin)]).toEqual([200, 200])
    expect([await streamStatus(premium), await streamStatus(app.nobody)]).toEqual([404, 401])
    await admin.call(updateSpot, { params: { id }, body: { is_on: false } })
    expect([await streamStatus(member), await streamStatus(admin)]).toEqual([404, 200])
  })

  test("members cannot report another member's spot", async () => {
    const { id } = await addCard()
    await play(2)
    const show = randomUUID()
    await report(show, id, 'started')
    const other = await app.makePerson()
    await play(2, other)
    expect((await report(show, id, 'clicked', other)).code).toBe('spot_not_found')
    expect((await report(show, id, 'started', other)).code).toBe('conflict')
    expect(await figures(id)).toEqual([1, 0, 0])
  })
})

describe('statistics', () => {
  test('count each event once, even in concurrent reports', async () => {
    const { id } = await addCard()
    await play(2)
    const show = randomUUID()
    expect((await report(show, id, 'finished')).code).toBe('spot_not_found')
    const starts = await Promise.all([1, 2, 3, 4].map(() => report(show, id, 'started')))
    expect(starts.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    const others = await Promise.all([1, 2, 3].map(() => report(randomUUID(), id, 'started')))
    expect(others.every(({ code }) => code === 'conflict')).toBe(true)
    expect((await report(show, id, 'finished')).code).toBe('conflict')
    pass(15)
    for (const event of ['finished', 'finished', 'clicked', 'clicked'] as const) {
      expect((await report(show, id, event)).status).toBe(204)
    }
    expect(await figures(id)).toEqual([1, 1, 1])
  })

  test("are kept when the member's account is deleted, and deleted with the spot", async () => {
    const { id } = await addCard()
    await play(2)
    await report(randomUUID(), id, 'started')
    await app.services.db.query.deleteFrom('profiles').where('id', '=', member.id).execute()
    expect(await figures(id)).toEqual([1, 0, 0])
    expect((await admin.call(deleteSpot, { params: { id } })).status).toBe(204)
    expect((await admin.call(deleteSpot, { params: { id } })).code).toBe('spot_not_found')
  })
})

describe('the recording', () => {
  test('is encoded and its loudness measured, and plays when this is done', async () => {
    const { id, state } = await addSound(3)
    expect(state).toBe('processing')
    await play(2)
    expect(await next()).toBeNull()
    await processSpot(app.services, id, job)
    const spot = (await next())!
    expect(spot).toMatchObject({ id, kind: 'sound', audio_url: `/api/spots/${id}/audio` })
    expect(spot.duration).toBeCloseTo(3, 1)
    expect(spot.loudness_lufs).toBeLessThan(-4)
    const { headers, status } = await member.call(streamSpot, { params: { id } })
    expect([status, headers.get('content-type')]).toEqual([200, 'audio/mp4'])
  })

  test('is used until a new recording is encoded; then its files are deleted', async () => {
    const { id } = await addSound()
    await processSpot(app.services, id, job)
    const keyOf = async () =>
      app.services.db.query.selectFrom('spots').select('audio_key').executeTakeFirstOrThrow()
    const { audio_key: old } = await keyOf()
    const wav = encodeWav(createSine(600, -8), { seconds: 1, sampleRate: 22_050, channels: 1 })
    const audio_path = await uploadWav(app, admin, wav)
    const { body } = await admin.call(updateSpot, { params: { id }, body: { audio_path } })
    expect(body).toMatchObject({ state: 'processing', audio_url: `/api/spots/${id}/audio` })
    await processSpot(app.services, id, job)
    expect((await keyOf()).audio_key).not.toBe(old)
    const given = await app.services.db.query
      .selectFrom('storage_garbage')
      .select('storage_key')
      .where('storage_key', 'in', [old!, audio_path])
      .execute()
    expect(given).toHaveLength(2)
  })

  test('fails with a reason when it is damaged or too long', async () => {
    const damaged = await uploadWav(app, admin, Buffer.from('RIFF no sound at all'))
    const body = { kind: 'sound', title: 'Broken', audio_path: damaged } as const
    const { id } = (await admin.call(createSpot, { body })).body
    await processSpot(app.services, id, job)
    const long = await addSound(130)
    await processSpot(app.services, long.id, job)
    const { data } = (await admin.call(listSpots, {})).body
    for (const one of [id, long.id]) {
      const spot = data.find((row) => row.id === one)
      expect(spot).toMatchObject({ state: 'failed', audio_url: null })
      expect(spot?.processing_error).toMatch(/\w+ .*\./)
    }
  })

  test('is required for an audio spot, and rejected for a card', async () => {
    const sound = { kind: 'sound', title: 'Silence' } as const
    expect((await admin.call(createSpot, { body: sound })).code).toBe('spot_without_sound')
    const { id } = await addCard()
    const body = { audio_path: 'uploads/audio/x' }
    const answer = await admin.call(updateSpot, { params: { id }, body })
    expect(answer.code).toBe('spot_without_sound')
  })
})
