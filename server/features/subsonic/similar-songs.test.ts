// Similar songs in the Subsonic API: the lists of similar tracks that radio uses, returned as songs and as matches of
// the extension sonicSimilarity.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { updateNeighbors } from '../similar/update-neighbors.ts'
import { requestAs, makeListener, type Answer, type Listener } from './testing/listener.ts'

let app: TestApp
let free: Listener
/** Songs in three groups. Those of `between` share a tag with each of the other two groups. */
let songs: Record<'night' | 'dance' | 'between', string[]>

beforeAll(async () => {
  app = await createTestApp()
  free = await makeListener(app, 'free')
  const add = async (tags: string[]) => {
    const { rows } = await sql<{ id: string }>`
      insert into tracks (title, artist, tags, is_published, processing_status, duration)
      select ${tags.join(' ')} || ' ' || chr(64 + i), 'Artist ' || i, ${tags}::text[], true, 'ready', 100
        from generate_series(1, 8) i returning id`.execute(app.services.db.query)
    return rows.map(({ id }) => `tr-${id}`)
  }
  songs = {
    night: await add(['night', 'drone']),
    dance: await add(['dance', 'brass']),
    between: await add(['drone', 'brass']),
  }
  await updateNeighbors(app.services, { signal: new AbortController().signal })
})
afterAll(() => app.close())

const getIds = ({ sonicMatch }: Answer) =>
  sonicMatch.map(({ entry }: { entry: Answer }) => entry.id as string)
const getSimilarities = ({ sonicMatch }: Answer) =>
  sonicMatch.map(({ similarity }: { similarity: number }) => similarity)

test('getOpenSubsonicExtensions lists sonicSimilarity', async () => {
  const response = await fetch(`${app.url}/rest/getOpenSubsonicExtensions?f=json`)
  expect(await response.text()).toContain('"name":"sonicSimilarity","versions":[1]')
})

test('getSonicSimilarTracks lists the most similar songs first, without the song itself', async () => {
  const [id] = songs.night
  const answer = await requestAs(app, free, 'getSonicSimilarTracks', { id: id!, count: '7' })
  expect(getIds(answer).toSorted()).toEqual(songs.night.slice(1).toSorted())
  const similarities = getSimilarities(answer)
  expect(similarities).toEqual(similarities.toSorted((a: number, b: number) => b - a))
  const byDefault = await requestAs(app, free, 'getSonicSimilarTracks', { id: id! })
  expect(byDefault.sonicMatch).toHaveLength(10)
})

test('findSonicPath connects similar songs, with decreasing similarity to the start', async () => {
  const [start, end] = [songs.night[0]!, songs.dance[0]!]
  const find = (count: string) =>
    requestAs(app, free, 'findSonicPath', { startSongId: start, endSongId: end, count })
  const path = await find('25')
  const ids = getIds(path)
  expect([ids[0], ids.at(-1)]).toEqual([start, end])
  expect(ids.some((id: string) => songs.between.includes(id))).toBe(true)
  const similarities = getSimilarities(path)
  expect(similarities[0]).toBe(1)
  expect(similarities).toEqual(similarities.toSorted((a: number, b: number) => b - a))
  expect(getIds(await find('2'))).toEqual([start, end])
  expect(getIds(await find('1'))).toEqual([start])
  const itself = await requestAs(app, free, 'findSonicPath', {
    startSongId: start,
    endSongId: start,
  })
  expect([getIds(itself), getSimilarities(itself)]).toEqual([[start], [1]])
})

test('unknown and hidden songs return error 70, and a missing id returns error 10', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into tracks (title, artist, is_published, processing_status) values ('Draft', 'X', false, 'ready')
    returning id`.execute(app.services.db.query)
  const [known] = songs.night
  for (const id of ['nonsense', `tr-${rows[0]!.id}`, 'tr-00000000-0000-4000-8000-000000000000']) {
    const codes = [
      await requestAs(app, free, 'getSonicSimilarTracks', { id }),
      await requestAs(app, free, 'findSonicPath', { startSongId: known!, endSongId: id }),
      await requestAs(app, free, 'findSonicPath', { startSongId: id, endSongId: known! }),
      await requestAs(app, free, 'getSimilarSongs', { id }),
    ].map(({ error }) => error?.code)
    expect(codes).toEqual([70, 70, 70, 70])
  }
  for (const name of ['getSonicSimilarTracks', 'findSonicPath', 'getSimilarSongs2']) {
    expect((await requestAs(app, free, name)).error?.code).toBe(10)
  }
})

test.each(['song', 'album', 'artist'])(
  'getSimilarSongs returns songs similar to one %s',
  async (kind) => {
    const { song } = await requestAs(app, free, 'getSong', { id: songs.night[0]! })
    const id = { song: song.id, album: song.albumId, artist: song.artistId }[kind]
    const first = await requestAs(app, free, 'getSimilarSongs', { id, count: '5' })
    const ids = first.similarSongs.song.map((one: Answer) => one.id)
    expect(new Set(ids).size).toBe(5)
    expect(ids).not.toContain(songs.night[0])
    if (kind !== 'artist') expect(songs.night).toEqual(expect.arrayContaining(ids))
    const second = await requestAs(app, free, 'getSimilarSongs2', { id, count: '5' })
    expect(second.similarSongs2.song).toHaveLength(5)
  },
)
