// Tests a running service with `subsonic-api`, a third-party client: it signs in, copies the library, plays songs and
// edits playlists.
import SubsonicAPI from 'subsonic-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInOwner, type ApiClient } from './harness/api-client.ts'
import {
  walkPlaylist,
  fillLibrary,
  makeAppUser,
  playSong,
  previewSeconds,
  songSeconds,
  syncLibrary,
  walkAlbums,
  type AppUser,
} from './harness/app-walk.ts'
import { startService, type Service } from './harness/service.ts'

let service: Service
let owner: ApiClient
let library: { audible: string[]; total: number }
let people: Record<'free' | 'premium', AppUser>

beforeAll(async () => {
  service = await startService()
  owner = await signInOwner(service.url)
  library = await fillLibrary(service, owner, 40)
  people = {
    free: await makeAppUser(service, owner, 'app-free', 'free'),
    premium: await makeAppUser(service, owner, 'app-premium', 'premium'),
  }
})
afterAll(() => service.remove())

const byToken = (who: AppUser, post = false) =>
  new SubsonicAPI({
    url: service.url,
    auth: { username: who.email, password: who.key },
    post,
  })
const byKey = (who: AppUser) => new SubsonicAPI({ url: service.url, auth: { apiKey: who.key } })

test('accepts a device key as token and salt, form field or API key, but not the account password', async () => {
  const { free } = people
  const ways = [byToken(free), byToken(free, true), byKey(free)]
  for (const app of ways) expect((await app.ping()).status).toBe('ok')
  const refused = byToken({ ...free, key: free.password })
  expect(await refused.ping()).toMatchObject({ status: 'failed', error: { code: 40 } })
  const { openSubsonicExtensions } = await byKey(free).getOpenSubsonicExtensions()
  expect(openSubsonicExtensions.map(({ name }) => name)).toContain('sonicSimilarity')
})

describe.each(['free', 'premium'] as const)('with a %s account', (tier) => {
  const length = tier === 'free' ? previewSeconds : songSeconds

  test('copies the library, and finds the same songs through albums', async () => {
    const app = byToken(people[tier])
    const { songIds, albumIds, artistIds } = await syncLibrary(app)
    expect(new Set(songIds).size).toBe(library.total)
    expect(songIds).toHaveLength(library.total)
    expect(artistIds).toHaveLength(8)
    expect((await walkAlbums(app, albumIds)).toSorted()).toEqual(songIds.toSorted())
  })

  test('streams the preview or the full song as the plan allows, with the announced length, and counts the play', async () => {
    const app = byKey(people[tier])
    const [id] = library.audible as [string]
    const { seconds, said, type } = await playSong(app, id)
    expect(type).toBe('audio/mp4')
    expect(said).toBe(length)
    expect(Math.abs(seconds - length)).toBeLessThan(0.5)
    expect((await app.getSong({ id })).song.played).toBeDefined()
    const kept = await app.download({ id })
    const isAudio = kept.headers.get('content-type') === 'audio/mp4'
    await kept.arrayBuffer()
    expect(isAudio).toBe(tier === 'premium')
  })

  test('edits playlists, stars and reads lyrics', async () => {
    const app = byToken(people[tier], true)
    const { songIds } = await syncLibrary(app)
    const [first, second, third] = songIds as [string, string, string]
    expect(await walkPlaylist(app, [first, second, third])).toEqual({
      name: 'On the road',
      isListed: true,
      songs: [second, third],
    })
    await app.star({ id: first })
    expect((await app.getStarred2()).starred2.song?.map(({ id }) => id)).toEqual([first])
    await app.unstar({ id: first })
    const lyrics = await app.getLyricsBySongId({ id: library.audible[0]! })
    expect(JSON.stringify(lyrics)).toContain('First light')
  })
})
