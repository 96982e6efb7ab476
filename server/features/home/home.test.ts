// The start screen of members, over HTTP.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getHome } from '#contract/home.ts'
import { createPlaylist, addTrackToPlaylist, deletePlaylist } from '#contract/playlists.ts'
import { reportPlay } from '#contract/plays.ts'
import type { PlayContext } from '#contract/play-context.ts'
import { likeTrack } from '#contract/tracks.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let person: Person
let trackIds: string[]
let clockMs = Date.parse('2026-11-21T12:00:00Z')

beforeAll(async () => {
  app = await createTestApp({}, { now: () => new Date(clockMs) })
  trackIds = await makeTracks(app.services.db, 3)
})
beforeEach(async () => {
  person = await app.makePerson()
})
afterAll(() => app.close())

const home = async (who = person) => (await who.call(getHome, {})).body

async function listen(context: PlayContext | undefined, track_id = trackIds[0]!, seconds = 10) {
  clockMs += 60_000
  const play = { play_id: randomUUID(), track_id, duration_seconds: 200, position_seconds: 0 }
  await person.call(reportPlay, {
    body: { ...play, heard_seconds: 0, ...(context && { context }) },
  })
  clockMs += seconds * 1000
  const body = { ...play, heard_seconds: seconds, ...(context && { context }) }
  return (await person.call(reportPlay, { body })).status
}

async function makeRelease(title: string, released: string) {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into releases (kind, title, slug, is_published, release_date)
      values ('album', ${title}, ${title.toLowerCase()}, true, ${released}) returning id
    ), listed as (
      insert into release_tracks (release_id, track_id, disc, position)
      select id, ${trackIds[0]}, 1, 1 from made
    ) select id from made`.execute(app.services.db.query)
  return rows[0]!.id
}

test('returns no shelves for a new member', async () => {
  expect(await home()).toEqual({ continue: [], new_releases: [], artists: [] })
})

test('lists what the member listened to, latest first, each with the track played last', async () => {
  const { body: playlist } = await person.call(createPlaylist, { body: { title: 'Evening' } })
  await person.call(addTrackToPlaylist, {
    params: { id: playlist.id },
    body: { track_id: trackIds[0]! },
  })
  const ofPlaylist: PlayContext = { kind: 'playlist', id: playlist.id }
  const ofRadio: PlayContext = { kind: 'radio', seed: { kind: 'track', id: trackIds[1]! } }
  expect(await listen(ofPlaylist, trackIds[0])).toBe(200)
  await listen(ofRadio, trackIds[1])
  await listen({ kind: 'likes' }, trackIds[2])
  await listen(ofPlaylist, trackIds[2])
  const shelf = (await home()).continue
  expect(shelf.map(({ context, title }) => [context.kind, title])).toEqual([
    ['playlist', 'Evening'],
    ['likes', 'Liked'],
    ['radio', expect.stringMatching(/./)],
  ])
  expect(shelf[0]!.track.id).toBe(trackIds[2])
  expect(shelf[2]!.context).toEqual(ofRadio)

  await person.call(deletePlaylist, { params: { id: playlist.id } })
  await expect.poll(async () => (await home()).continue.length).toBe(2)
})

test("omits other members' lists, skipped tracks and unknown ids", async () => {
  const other = await app.makePerson()
  const { body: secret } = await other.call(createPlaylist, { body: { title: 'Secret' } })
  await listen({ kind: 'playlist', id: secret.id })
  await listen({ kind: 'release', id: randomUUID() })
  await listen({ kind: 'artist', id: randomUUID() })
  await listen({ kind: 'radio', seed: { kind: 'playlist', id: secret.id } })
  await listen({ kind: 'likes' }, trackIds[0], 3)
  await listen(undefined)
  expect((await home()).continue).toEqual([])
  expect((await home(other)).continue).toEqual([])
})

test("keeps a member's latest thirty lists", async () => {
  for (let i = 0; i < 40; i++) {
    await listen({ kind: 'radio', seed: { kind: 'artist', name: `Artist: ${i}` } })
  }
  const shelf = (await home()).continue
  expect(shelf).toHaveLength(12)
  expect(shelf[0]!.context).toEqual({ kind: 'radio', seed: { kind: 'artist', name: 'Artist: 39' } })
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from listening_contexts where user_id = ${person.id}`.execute(
    app.services.db.query,
  )
  expect(rows[0]!.count).toBeLessThanOrEqual(31)
})

test('contains releases of the last 90 days, and artists of liked tracks', async () => {
  await makeRelease('Fresh', '2026-11-20')
  await makeRelease('Old', '2026-01-20')
  await person.call(likeTrack, { params: { id: trackIds[0]! } })
  clockMs += 60_000
  const shelves = await home(await app.makePerson())
  expect(shelves.new_releases.map(({ title }) => title)).toEqual(['Fresh'])
  expect(shelves.artists).toEqual([])
  await expect.poll(async () => (await home()).artists.length).toBe(1)
})
