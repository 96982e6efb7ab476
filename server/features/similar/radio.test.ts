// Similar tracks, radio, paths and daily mixes, over HTTP.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPlaylist, addTrackToPlaylist } from '#contract/playlists.ts'
import {
  findTrackPath,
  getMix,
  listMixes,
  listSimilarToRelease,
  listSimilarTracks,
  startRadio,
} from '#contract/radio.ts'
import type { RadioSeed } from '#contract/play-context.ts'
import { likeTrack } from '#contract/tracks.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { updateNeighbors } from './update-neighbors.ts'

let app: TestApp
let member: Person
/**
 * Three moods with 20 tracks each. Two consecutive tracks share an artist. Each track of the last mood has one tag in
 * common with the first or the second mood.
 */
let moods: Record<'ambient' | 'funk' | 'between', string[]>
let draft: string

beforeAll(async () => {
  app = await createTestApp()
  member = await app.makePerson()
  const { db } = app.services
  await db.query
    .insertInto('genres')
    .values([{ name: 'dark ambient' }, { name: 'funk' }])
    .execute()
  const add = async (count: number, genre: string | null, tags: string[]) => {
    const { rows } = await sql<{ id: string }>`
      insert into tracks (title, artist, genre, tags, is_published, processing_status, duration)
      select ${tags.join(' ')} || ' ' || chr(64 + i), 'Artist ' || (i / 2), ${genre}, ${tags}::text[], true, 'ready', 100
        from generate_series(1, ${count}::int) i returning id`.execute(db.query)
    return rows.map(({ id }) => id)
  }
  moods = {
    ambient: await add(20, 'dark ambient', ['night', 'drone']),
    funk: await add(20, 'funk', ['brass', 'dance']),
    between: await add(20, null, ['drone', 'brass']),
  }
  ;[draft] = (await add(1, 'funk', ['brass'])) as [string]
  await db.query
    .updateTable('tracks')
    .set({ is_published: false })
    .where('id', '=', draft)
    .execute()
  await sql`insert into track_sounds (track_id, version, tempo, tempo_confidence, key)
            select id, 1, 84, 0.9, 9 from tracks where genre = 'dark ambient'`.execute(db.query)
  await updateNeighbors(app.services, { signal: new AbortController().signal })
})
afterAll(() => app.close())

const radio = async (
  seed: RadioSeed,
  more: { exclude?: string[]; limit?: number } = {},
  who = member,
) => (await who.call(startRadio, { body: { seed, ...more } })).body
const idsOf = (tracks: readonly { id: string }[]) => tracks.map(({ id }) => id)

async function play(who: Person, trackId: string, hoursAgo: number): Promise<void> {
  const time = sql<string>`now() - make_interval(mins => ${Math.round(hoursAgo * 60)})`
  await app.services.db.query
    .insertInto('plays')
    .values({
      id: randomUUID(),
      user_id: who.id,
      track_id: trackId,
      is_preview: false,
      started_at: time,
      reported_at: time,
      counted_at: time,
      heard_seconds: 90,
      duration_seconds: 100,
    })
    .execute()
}

describe('lists of similar tracks', () => {
  test('are listed with the reason for their similarity, without the track itself', async () => {
    const id = moods.ambient[0]!
    const { body } = await member.call(listSimilarTracks, { params: { id }, query: { limit: 10 } })
    expect(body.data).toHaveLength(10)
    for (const { track, reason } of body.data) {
      expect(moods.ambient).toContain(track.id)
      expect(track.id).not.toBe(id)
      expect(reason).toBe('same mood: dark ambient, night, drone, 84 BPM')
    }
  })

  test('are removed from lists immediately when they are unpublished', async () => {
    const id = moods.ambient[0]!
    const list = async () =>
      (await member.call(listSimilarTracks, { params: { id }, query: { limit: 50 } })).body.data
    const [first] = await list()
    const { db } = app.services
    const publish = (is_published: boolean) =>
      db.query
        .updateTable('tracks')
        .set({ is_published })
        .where('id', '=', first!.track.id)
        .execute()
    await publish(false)
    expect(idsOf((await list()).map(({ track }) => track))).not.toContain(first!.track.id)
    expect(idsOf((await radio({ kind: 'track', id }, { limit: 100 })).data)).not.toContain(
      first!.track.id,
    )
    await publish(true)
  })

  test('rejects a draft, an unknown track and invalid input', async () => {
    const ask = (id: string, limit = 5) =>
      member.call(listSimilarTracks, { params: { id }, query: { limit } })
    expect((await ask(draft)).code).toBe('track_not_found')
    expect((await ask(randomUUID())).code).toBe('track_not_found')
    expect((await ask(moods.funk[0]!, 51)).code).toBe('invalid_input')
  })
})

describe('radio', () => {
  test('started from a track plays similar tracks, with at most two consecutive ones by one artist', async () => {
    const id = moods.ambient[0]!
    const { title, data } = await radio({ kind: 'track', id }, { limit: 15 })
    expect(title).toBe('Radio: similar to night drone A')
    expect(data).toHaveLength(15)
    expect(moods.ambient).toEqual(expect.arrayContaining(idsOf(data)))
    for (let at = 2; at < data.length; at += 1) {
      const artists = new Set(data.slice(at - 2, at + 1).map(({ artist }) => artist))
      expect(artists.size).toBeGreaterThan(1)
    }
  })

  test('continues with tracks that are not in the queue', async () => {
    const seed = { kind: 'track', id: moods.funk[0]! } as const
    const first = idsOf((await radio(seed, { limit: 10 })).data)
    const second = idsOf((await radio(seed, { limit: 10, exclude: first })).data)
    expect(second).toHaveLength(10)
    expect(first.filter((id) => second.includes(id))).toEqual([])
  })

  test('skips tracks played in the last 24 hours until no others are left', async () => {
    const listener = await app.makePerson()
    const seed = { kind: 'track', id: moods.ambient[0]! } as const
    const [recent, longAgo] = [moods.ambient[1]!, moods.ambient[2]!]
    await play(listener, recent, 23)
    await play(listener, longAgo, 25)
    const ids = idsOf((await radio(seed, { limit: 30 }, listener)).data)
    expect(ids).not.toContain(recent)
    expect(ids).toContain(longAgo)
    // Of the catalogue's 60 tracks, the one that was recently played comes last.
    const all = idsOf((await radio(seed, { limit: 100 }, listener)).data)
    expect(all.at(-1)).toBe(recent)
    expect(new Set(all).size).toBe(all.length)
  })

  test('can start from a playlist, likes or an artist', async () => {
    const listener = await app.makePerson()
    const { body: own } = await listener.call(createPlaylist, { body: { title: 'Mine' } })
    for (const track_id of moods.funk.slice(0, 3)) {
      await listener.call(addTrackToPlaylist, { params: { id: own.id }, body: { track_id } })
      await listener.call(likeTrack, { params: { id: track_id } })
    }
    const byPlaylist = await radio({ kind: 'playlist', id: own.id }, { limit: 10 }, listener)
    expect(byPlaylist.title).toBe('Radio: similar to Mine')
    expect(moods.funk.slice(3)).toEqual(expect.arrayContaining(idsOf(byPlaylist.data)))
    const byLikes = await radio({ kind: 'likes' }, { limit: 10 }, listener)
    expect(moods.funk.slice(3)).toEqual(expect.arrayContaining(idsOf(byLikes.data)))
    const byArtist = await radio({ kind: 'artist', name: 'Artist 3' }, { limit: 10 })
    expect(byArtist.title).toBe('Radio: similar to Artist 3')
    expect(byArtist.data.map(({ artist }) => artist)).not.toContain('Artist 3')
    // Another person's private playlist is refused.
    const foreign = await member.call(startRadio, {
      body: { seed: { kind: 'playlist', id: own.id } },
    })
    expect(foreign.code).toBe('playlist_not_found')
  })

  test('can start from an artist by id, slug or former slug', async () => {
    const { rows } = await sql<{ id: string; slug: string }>`
      select id, slug from artists where name = 'Artist 3'`.execute(app.services.db.query)
    const { id, slug } = rows[0]!
    await sql`insert into artist_slugs (slug, artist_id) values ('artist-three', ${id})`.execute(
      app.services.db.query,
    )
    const first = await radio({ kind: 'artist', id }, { limit: 10 })
    expect(first.title).toBe('Radio: similar to Artist 3')
    expect(first.data.map(({ artist }) => artist)).not.toContain('Artist 3')
    for (const address of [slug, 'artist-three']) {
      const { data } = await radio({ kind: 'artist', id: address }, { limit: 10 })
      expect(idsOf(data)).toEqual(idsOf(first.data))
    }
  })

  test('started from a release plays similar tracks that are not on it, which are also listed with reasons', async () => {
    const { db } = app.services
    const onIt = moods.ambient.slice(0, 4)
    const { id } = await db.query
      .insertInto('releases')
      .values({ kind: 'ep', title: 'Night EP', slug: 'night-ep', is_published: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`
      insert into release_tracks (release_id, track_id, position)
      select ${id}, u.id, u.place from unnest(${onIt}::uuid[]) with ordinality u (id, place)`.execute(
      db.query,
    )
    for (const address of [id, 'night-ep']) {
      const { title, data } = await radio({ kind: 'release', id: address }, { limit: 10 })
      expect(title).toBe('Radio: similar to Night EP')
      expect(moods.ambient.slice(4)).toEqual(expect.arrayContaining(idsOf(data)))
      for (let at = 2; at < data.length; at += 1) {
        const artists = new Set(data.slice(at - 2, at + 1).map(({ artist }) => artist))
        expect(artists.size).toBeGreaterThan(1)
      }
    }
    const similar = await member.call(listSimilarToRelease, {
      params: { id: 'night-ep' },
      query: { limit: 8 },
    })
    expect(similar.body.data).toHaveLength(8)
    for (const { track, reason } of similar.body.data) {
      expect(moods.ambient.slice(4)).toContain(track.id)
      expect(reason).toContain('same mood: dark ambient')
    }
    await db.query
      .updateTable('releases')
      .set({ is_published: false })
      .where('id', '=', id)
      .execute()
    const hidden = await member.call(listSimilarToRelease, { params: { id } })
    expect(hidden.code).toBe('release_not_found')
    const seed = { kind: 'release', id } as const
    expect((await member.call(startRadio, { body: { seed } })).code).toBe('release_not_found')
    await db.query.deleteFrom('releases').where('id', '=', id).execute()
  })

  test('plays the newest tracks to a member without likes', async () => {
    const { data } = await radio({ kind: 'likes' }, { limit: 5 }, await app.makePerson())
    expect(data).toHaveLength(5)
  })

  test('rejects a draft, an unknown artist and invalid input as a start', async () => {
    const ask = async (seed: RadioSeed, limit = 5) =>
      (await member.call(startRadio, { body: { seed, limit } })).code
    expect(await ask({ kind: 'track', id: draft })).toBe('track_not_found')
    expect(await ask({ kind: 'artist', name: 'Nobody' })).toBe('track_not_found')
    expect(await ask({ kind: 'likes' }, 101)).toBe('invalid_input')
    expect(await ask({ kind: 'artist', id: 'nobody' })).toBe('artist_not_found')
    expect(await ask({ kind: 'artist', id: draft })).toBe('artist_not_found')
    expect(await ask({ kind: 'release', id: draft })).toBe('release_not_found')
    const send = async (seed: object) =>
      (await member.send('POST', '/api/radio', { body: { seed } })).code
    expect(await send({ kind: 'genre', id: draft })).toBe('invalid_input')
    expect(await send({ kind: 'artist' })).toBe('invalid_input')
    expect(await send({ kind: 'artist', id: 'a', name: 'A' })).toBe('invalid_input')
  })
})

describe('a path between tracks', () => {
  const path = (id: string, to: string) =>
    member.call(findTrackPath, { params: { id }, query: { to } })

  test('consists of tracks that are similar to both ends', async () => {
    const [from, to] = [moods.ambient[0]!, moods.funk[0]!]
    const ids = idsOf((await path(from, to)).body.data)
    expect(ids[0]).toBe(from)
    expect(ids.at(-1)).toBe(to)
    expect(ids.some((id) => moods.between.includes(id))).toBe(true)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('to the same track contains only that track, and a draft returns track_not_found', async () => {
    const id = moods.ambient[0]!
    expect(idsOf((await path(id, id)).body.data)).toEqual([id])
    expect((await path(id, draft)).code).toBe('track_not_found')
    expect((await path(draft, id)).code).toBe('track_not_found')
  })

  test('is empty if the tracks are not connected', async () => {
    const { id } = await app.services.db.query
      .insertInto('tracks')
      .values({
        title: 'Alone',
        artist: 'Nobody else',
        is_published: true,
        processing_status: 'ready',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await path(moods.ambient[0]!, id)).body.data).toEqual([])
    await app.services.db.query.deleteFrom('tracks').where('id', '=', id).execute()
  })
})

describe('daily mixes', () => {
  test('require Premium', async () => {
    expect((await member.call(listMixes, {})).code).toBe('premium_required')
    expect((await member.call(getMix, { params: { position: 1 } })).code).toBe('premium_required')
  })

  test('are generated from likes and plays, one for each favorite genre, and stay the same all day', async () => {
    const premium = await app.makePerson({ tier: 'premium' })
    expect((await premium.call(listMixes, {})).body.data).toEqual([])
    for (const id of moods.ambient.slice(0, 3)) await premium.call(likeTrack, { params: { id } })
    await play(premium, moods.funk[0]!, 48)
    const [first, second] = await Promise.all([
      premium.call(listMixes, {}),
      premium.call(listMixes, {}),
    ])
    expect(first.body).toEqual(second.body)
    const mixes = first.body.data
    expect(mixes.map(({ title }) => title)).toEqual(['Dark ambient mix', 'Funk mix'])
    const tracks = async (position: number) =>
      idsOf((await premium.call(getMix, { params: { position } })).body.data)
    const [one, two] = [await tracks(1), await tracks(2)]
    expect(one).toHaveLength(mixes[0]!.track_count)
    expect(one.slice(0, 5).every((id) => moods.ambient.includes(id))).toBe(true)
    expect(one.filter((id) => two.includes(id))).toEqual([])
    await premium.call(likeTrack, { params: { id: moods.between[0]! } })
    expect((await premium.call(listMixes, {})).body.data).toEqual(mixes)
    expect((await premium.call(getMix, { params: { position: 6 } })).code).toBe('not_found')
  })

  test('omit tracks that have since been unpublished', async () => {
    const premium = await app.makePerson({ tier: 'premium' })
    await premium.call(likeTrack, { params: { id: moods.ambient[0]! } })
    const get = async () =>
      idsOf((await premium.call(getMix, { params: { position: 1 } })).body.data)
    const [hidden] = await get()
    const { db } = app.services
    const publish = (is_published: boolean) =>
      db.query.updateTable('tracks').set({ is_published }).where('id', '=', hidden!).execute()
    await publish(false)
    expect(await get()).not.toContain(hidden)
    await publish(true)
  })
})
