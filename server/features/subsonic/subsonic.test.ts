// The OpenSubsonic API over HTTP: authentication, response formats, the catalogue, playlists, likes and plays.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRelease, publishRelease } from '#contract/admin/admin-releases.ts'
import { getArtist } from '#contract/artists.ts'
import { createDeviceKey, revokeDeviceKey } from '#contract/device-keys.ts'
import type { SmartRules } from '#contract/fields/smart-rules.ts'
import { createPlaylist, updatePlaylist } from '#contract/playlists.ts'
import { listRecentlyPlayed } from '#contract/plays.ts'
import { acceptPlaylistInvitation, createPlaylistInvitation } from '#contract/shared-playlists.ts'
import { listTracks } from '#contract/tracks.ts'
import { banAccount } from '../auth/ban-account.ts'
import { transaction } from '../../platform/db/database.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { subsonicEndpoints } from './endpoints.ts'
import {
  requestAs,
  encode,
  makeListener,
  requestOf,
  type Answer,
  type Listener,
  type Parameters,
} from './testing/listener.ts'

let app: TestApp
let free: Listener
let premium: Listener
let admin: Person
/** Three tracks without a release, and two on a release. */
let loose: string[]
let onRelease: string[]
let releaseId: string

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  free = await makeListener(app, 'free')
  premium = await makeListener(app, 'premium')
  loose = await makeTracks(app.services.db, 3, { prefix: 'Loose' })
  onRelease = await makeTracks(app.services.db, 2, { prefix: 'Album track' })
  const tracks = onRelease.map((track_id) => ({ track_id }))
  const made = await admin.call(createRelease, {
    body: { title: 'The Album', kind: 'album', tracks },
  })
  releaseId = made.body.id
  await admin.call(publishRelease, { params: { id: releaseId }, body: { publish_tracks: false } })
  await sql`insert into genres (name) values ('Dream Pop') on conflict do nothing`.execute(
    app.services.db.query,
  )
  await sql`update tracks set lyrics = '[00:01.00] <00:01.00>Für <00:01.50>dich', genre = 'Dream Pop'
             where id = ${loose[0]}`.execute(app.services.db.query)
})
afterAll(() => app.close())

const get = (name: string, parameters: Parameters) => fetch(requestOf(app, name, parameters))

const callApp = (who: Listener, name: string, parameters: Parameters = {}) =>
  requestAs(app, who, name, parameters)

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

describe('signing in', () => {
  const signIn = async (parameters: Parameters) => {
    const response = await get('ping', { f: 'json', ...parameters })
    const { 'subsonic-response': answer } = (await response.json()) as Record<string, Answer>
    return answer!.error?.code ?? answer!.status
  }

  test('accepts a device key as an API key, as a password in three forms, and salted and hashed', async () => {
    const u = free.email
    const salted = { u, t: md5(`${free.key}pepper`), s: 'pepper' }
    const hex = Buffer.from(free.key).toString('hex')
    const logins: Parameters[] = [
      { apiKey: free.key },
      { u, p: free.key },
      { u: u.toUpperCase(), p: free.key.toUpperCase() },
      { u, p: `enc:${hex}` },
      salted,
      salted,
    ]
    for (const login of logins) expect(await signIn(login)).toBe('ok')
  })

  test("refuses the account's password, another person's key, several credentials at once, and none", async () => {
    const u = free.email
    expect(await signIn({ u, p: 'correct horse battery' })).toBe(40)
    expect(await signIn({ u, p: premium.key })).toBe(40)
    expect(await signIn({ u, t: md5(`${premium.key}x`), s: 'x' })).toBe(40)
    expect(await signIn({ apiKey: 'nonsense' })).toBe(44)
    expect(await signIn({ apiKey: free.key, u })).toBe(43)
    expect(await signIn({ u })).toBe(10)
    expect(await signIn({})).toBe(10)
  })

  test('ignores cookies', async () => {
    const response = await fetch(`${app.url}/rest/getUser?f=json`, {
      headers: { cookie: free.cookie },
    })
    expect(JSON.stringify(await response.json())).toContain('"code":10')
  })

  test('fails after the device key is revoked or the person is banned', async () => {
    const person = await makeListener(app, 'free')
    expect(await signIn({ apiKey: person.key })).toBe('ok')
    await person.call(revokeDeviceKey, { params: { id: person.keyId } })
    expect(await signIn({ apiKey: person.key })).toBe(44)
    const other = await makeListener(app, 'free')
    expect(await signIn({ apiKey: other.key })).toBe('ok')
    await transaction(app.services.db, (trx) => banAccount(trx, other.id, new Date()))
    await expect.poll(() => signIn({ apiKey: other.key })).toBe(44)
  })

  test('is not required for getOpenSubsonicExtensions', async () => {
    const response = await get('getOpenSubsonicExtensions', { f: 'json' })
    expect(await response.text()).toContain('"name":"apiKeyAuthentication","versions":[1]')
  })
})

describe('responses', () => {
  test.each(['GET', 'POST'])(
    'are the same for names with and without .view, by %s',
    async (method) => {
      for (const name of ['ping', 'ping.view']) {
        const form = encode({ apiKey: free.key, f: 'json' })
        const response =
          method === 'GET'
            ? await fetch(`${app.url}/rest/${name}?${form}`)
            : await fetch(`${app.url}/rest/${name}`, {
                method: 'POST',
                headers: {
                  'content-type': 'application/x-www-form-urlencoded',
                  origin: 'https://player.test',
                },
                body: form,
              })
        expect(await response.json()).toEqual({
          'subsonic-response': {
            status: 'ok',
            version: '1.16.1',
            type: 'velour',
            serverVersion: expect.any(String),
            openSubsonic: true,
          },
        })
        expect(response.headers.get('access-control-allow-origin')).toBe('*')
      }
    },
  )

  test('in XML contain attributes and child elements, and escape titles', async () => {
    const [id] = await makeTracks(app.services.db, 1, { prefix: 'A <b> & "c" ' })
    const text = await (await get('getSong', { apiKey: free.key, id: `tr-${id}` })).text()
    expect(text).toContain('<?xml version="1.0" encoding="UTF-8"?>')
    expect(text).toContain(' title="A &lt;b&gt; &amp; &quot;c&quot;  1"')
    expect(text).toMatch(/<artists id="ar-[0-9a-f-]{36}" name="Artist 1"\/>/)
    await sql`update tracks set is_published = false where id = ${id}`.execute(
      app.services.db.query,
    )
  })

  test('in JSONP accept only a name as the callback', async () => {
    const good = await get('ping', { apiKey: free.key, f: 'jsonp', callback: 'cb' })
    expect(await good.text()).toMatch(/^\/\*\*\/cb\(\{.*\}\);$/)
    const bad = await get('ping', { apiKey: free.key, f: 'jsonp', callback: 'alert(1)//' })
    expect(bad.headers.get('content-type')).toContain('application/json')
  })

  test('have status 501 for calls that are not supported, and 410 for removed ones', async () => {
    expect((await get('jukeboxControl', { apiKey: free.key })).status).toBe(501)
    expect((await get('search', { apiKey: free.key })).status).toBe(410)
  })

  test.each([...subsonicEndpoints].filter(([, { kind }]) => kind !== 'refused'))(
    '%s returns the specified errors without authentication, and with hostile parameters',
    async (name) => {
      const denied = await (await get(name, {})).text()
      expect(denied).toContain('status="failed"')
      for (const bad of ["' or 1=1 --", '\u0000', 'al-none', '../../etc/passwd', '9'.repeat(400)]) {
        const names = ['id', 'query', 'playlistId', 'size', 'offset', 'type', 'genre', 'artist']
        const parameters = Object.fromEntries(names.map((one) => [one, bad]))
        const response = await get(name, { apiKey: free.key, ...parameters })
        expect(response.status).toBeLessThan(500)
        await response.arrayBuffer()
      }
    },
  )
})

describe('the catalogue', () => {
  test('has every song on one album with a known artist', async () => {
    const { albumList2 } = await callApp(free, 'getAlbumList2', { type: 'newest', size: '500' })
    const songs: string[] = []
    for (const album of albumList2.album) {
      const found = (await callApp(free, 'getAlbum', { id: album.id })).album
      songs.push(...found.song.map(({ id }: { id: string }) => id))
      const { artist } = await callApp(free, 'getArtist', { id: album.artistId })
      expect(artist.album.map(({ id }: { id: string }) => id)).toContain(album.id)
    }
    expect(songs.toSorted()).toEqual([...loose, ...onRelease].map((id) => `tr-${id}`).toSorted())
  })

  test('shows a release with its songs in order, and a track without a release as a single', async () => {
    const { album } = await callApp(free, 'getAlbum', { id: `al-${releaseId}` })
    expect(album).toMatchObject({ name: 'The Album', songCount: 2, releaseTypes: ['Album'] })
    expect(album.song.map(({ id, track }: Answer) => [id, track])).toEqual([
      [`tr-${onRelease[0]}`, 1],
      [`tr-${onRelease[1]}`, 2],
    ])
    const single = await callApp(free, 'getAlbum', { id: `al-${loose[1]}` })
    expect(single.album).toMatchObject({ songCount: 1, releaseTypes: ['Single'] })
    expect((await callApp(free, 'getAlbum', { id: `al-${onRelease[0]}` })).error?.code).toBe(70)
    expect((await callApp(free, 'getAlbum', { id: `tr-${loose[0]}` })).error?.code).toBe(70)
  })

  test.each([
    'random',
    'newest',
    'highest',
    'frequent',
    'recent',
    'alphabeticalByName',
    'alphabeticalByArtist',
    'starred',
  ])('lists albums by %s', async (type) => {
    const whole = await callApp(free, 'getAlbumList2', { type, size: '500' })
    const pages = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((offset) =>
        callApp(free, 'getAlbumList2', { type, size: '1', offset: String(offset) }),
      ),
    )
    const ids = (answer: Answer) => answer.albumList2.album.map(({ id }: Answer) => id)
    expect(type === 'random' ? ids(whole) : pages.flatMap(ids)).toEqual(ids(whole))
    await callApp(free, 'getAlbumList', { type })
  })

  test('lists everything in pages for an empty search, always in the same order', async () => {
    for (const query of ['', '""']) {
      const first = await callApp(free, 'search3', { query, songCount: '3', albumCount: '0' })
      const second = await callApp(free, 'search3', { query, songCount: '3', songOffset: '3' })
      const ids = [...first.searchResult3.song, ...second.searchResult3.song].map(({ id }) => id)
      expect(new Set(ids).size).toBe(5)
    }
    const found = await callApp(free, 'search3', { query: 'LOOSE 2' })
    expect(found.searchResult3.song.map(({ title }: Answer) => title)).toEqual(['Loose 2'])
  })

  test('is also available as folders', async () => {
    const { indexes } = await callApp(free, 'getIndexes')
    const [artist] = indexes.index.flatMap(({ artist: all }: Answer) => all)
    const { directory } = await callApp(free, 'getMusicDirectory', { id: artist.id })
    const songs = await callApp(free, 'getMusicDirectory', { id: directory.child[0].id })
    expect(songs.directory.child[0].isDir).toBe(false)
  })

  test('does not contain an unpublished track', async () => {
    const [hidden] = await makeTracks(app.services.db, 1, { published: false, prefix: 'Secret' })
    expect((await callApp(premium, 'getSong', { id: `tr-${hidden}` })).error?.code).toBe(70)
    expect((await callApp(premium, 'getAlbum', { id: `al-${hidden}` })).error?.code).toBe(70)
    expect((await callApp(premium, 'search3', { query: 'Secret' })).searchResult3.song).toEqual([])
    expect((await callApp(premium, 'star', { id: `tr-${hidden}` })).error?.code).toBe(70)
    const sent = await get('stream', { apiKey: premium.key, f: 'json', id: `tr-${hidden}` })
    expect(sent.headers.get('content-type')).toContain('text/xml')
    expect(await sent.text()).toContain('code="70"')
  })

  test('returns lyrics by line and, if requested, by word with byte offsets', async () => {
    const id = `tr-${loose[0]}`
    const plain = await callApp(free, 'getLyricsBySongId', { id })
    expect(plain.lyricsList.structuredLyrics[0]).toMatchObject({
      synced: true,
      line: [{ start: 1000, value: 'Für dich' }],
    })
    expect(plain.lyricsList.structuredLyrics[0].cueLine).toBeUndefined()
    const { lyricsList } = await callApp(free, 'getLyricsBySongId', { id, enhanced: 'true' })
    expect(lyricsList.structuredLyrics[0].cueLine).toEqual([
      {
        index: 0,
        start: 1000,
        value: 'Für dich',
        cue: [
          { start: 1000, byteStart: 0, byteEnd: 4, value: 'Für ' },
          { start: 1500, byteStart: 5, byteEnd: 8, value: 'dich' },
        ],
      },
    ])
  })

  test('lists a song in the genres of all its categories, and its moods before its tags', async () => {
    const { query } = app.services.db
    await sql`insert into category_metadata (category, display_name)
              values ('focus', 'Focus'), ('sleep', 'Sleep')`.execute(query)
    await sql`update tracks set category = 'focus', more_categories = array['sleep'], moods = array['calm'],
                     tags = array['calm', 'rain'] where id = ${loose[0]}`.execute(query)
    const { songsByGenre } = await callApp(free, 'getSongsByGenre', { genre: 'sleep' })
    expect(songsByGenre.song).toMatchObject([
      {
        id: `tr-${loose[0]}`,
        genre: 'Dream Pop',
        genres: [{ name: 'Dream Pop' }, { name: 'focus' }, { name: 'sleep' }],
        moods: ['calm', 'rain'],
      },
    ])
  })

  test('lists the same related artists as the web app', async () => {
    const { query } = app.services.db
    await sql`insert into category_metadata (category, display_name) values ('dusk', 'Dusk')`.execute(
      query,
    )
    await sql`update tracks set category = 'dusk'`.execute(query)
    const { artists } = await callApp(free, 'getArtists')
    const first = artists.index[0].artist[0]
    const { body } = await free.call(getArtist, { params: { id: first.id.slice('ar-'.length) } })
    const { artistInfo2 } = await callApp(free, 'getArtistInfo2', { id: first.id })
    const ids = artistInfo2.similarArtist.map(({ id }: Answer) => id)
    expect(ids.length).toBeGreaterThan(1)
    expect(ids).toEqual(body.related.map(({ id }) => `ar-${id}`))
    const one = await callApp(free, 'getArtistInfo2', { id: first.id, count: '1' })
    expect(one.artistInfo2.similarArtist).toEqual(artistInfo2.similarArtist.slice(0, 1))
  })

  test('returns an empty element with the requested names for missing lyrics', async () => {
    const asked = { artist: 'Nobody', title: 'Nothing' }
    const { lyrics } = await callApp(free, 'getLyrics', asked)
    expect(lyrics).toEqual({ ...asked, value: '' })
  })

  test.each([
    ['getArtists', {}],
    ['getGenres', {}],
    ['getMusicFolders', {}],
    ['getScanStatus', {}],
    ['getRandomSongs', { size: '5' }],
    ['getSongsByGenre', { genre: 'Dream Pop' }],
    ['getTopSongs', { artist: 'Artist 1' }],
    ['getUser', {}],
    ['getNowPlaying', {}],
    ['getPodcasts', {}],
    ['getInternetRadioStations', {}],
    ['getBookmarks', {}],
    ['getShares', {}],
    ['getLicense', {}],
    ['tokenInfo', {}],
  ] as const)('%s matches the response schema', async (name, parameters) => {
    expect((await callApp(free, name, parameters)).status).toBe('ok')
  })
})

describe('pictures', () => {
  test('returns a cover as a JPEG in the next larger size', async () => {
    const coverId = await storeCover(384)
    const { db } = app.services
    await sql`update tracks set cover_id = ${coverId}::uuid where id = ${loose[1]}`.execute(
      db.query,
    )
    for (const id of [`tr-${loose[1]}`, `co-${coverId}`]) {
      const answer = await get('getCoverArt', { apiKey: free.key, id, size: '300' })
      const { format, width } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      expect([answer.headers.get('content-type'), format, width]).toEqual([
        'image/jpeg',
        'jpeg',
        384,
      ])
    }
  })

  test('artists and albums contain URLs of JPEG files', async () => {
    const coverId = await storeCover(1024)
    const { db } = app.services
    await sql`update releases set cover_id = ${coverId}::uuid where id = ${releaseId}`.execute(
      db.query,
    )
    const { albumInfo } = await callApp(free, 'getAlbumInfo2', { id: `al-${releaseId}` })
    expect(albumInfo.largeImageUrl).toMatch(new RegExp(`/media/covers/${coverId}/1024\\.jpg$`))
    const picture = await fetch(app.url + new URL(albumInfo.largeImageUrl).pathname)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(picture.headers.get('cache-control')).toContain('immutable')
  })

  test('a request for a missing JPEG returns 404', async () => {
    const answer = await fetch(
      `${app.url}/media/covers/0190a0a0-0000-7000-8000-00000000000f/384.jpg`,
    )
    expect(answer.status).toBe(404)
  })
})

/** Stores a cover in a single size. */
async function storeCover(size: number): Promise<string> {
  const { db, storage } = app.services
  const { rows } = await sql<{ id: string }>`
    insert into images (kind, tint, placeholder, width, height)
    values ('cover', '#102030', 'data:image/webp;base64,AA', 1024, 1024) returning id`.execute(
    db.query,
  )
  const [{ id }] = rows as [{ id: string }]
  const pixels = { width: size, height: size, channels: 3, background: '#a04060' } as const
  await storage.put(`covers/${id}/${size}.webp`, await sharp({ create: pixels }).webp().toBuffer())
  return id
}

describe('likes, ratings and queues', () => {
  test('starring a song, album or artist likes it in the web app', async () => {
    const { album } = await callApp(free, 'getAlbum', { id: `al-${releaseId}` })
    const items = { id: `tr-${loose[0]}`, albumId: `al-${releaseId}` }
    const [artistId] = album.song.map(({ artistId: id }: Answer) => id)
    expect((await callApp(free, 'star', { ...items, artistId })).status).toBe('ok')
    const liked = await free.call(listTracks, { query: { liked: 'true' } })
    expect(liked.body.data.map(({ id }) => id)).toEqual([loose[0]])
    const { starred2 } = await callApp(free, 'getStarred2')
    expect(starred2.song[0]).toMatchObject({ id: `tr-${loose[0]}`, starred: expect.any(String) })
    expect(starred2.album.map(({ id }: Answer) => id)).toContain(`al-${releaseId}`)
    expect(starred2.artist).toMatchObject([{ id: artistId }])
    await callApp(free, 'unstar', { ...items, artistId })
    expect((await callApp(free, 'getStarred2')).starred2).toEqual({
      artist: [],
      album: [],
      song: [],
    })
  })

  test('stores ratings, and a rating of 0 removes them', async () => {
    const id = `tr-${loose[1]}`
    await callApp(free, 'setRating', { id, rating: '4' })
    expect((await callApp(free, 'getSong', { id })).song.userRating).toBe(4)
    await callApp(free, 'setRating', { id, rating: '0' })
    expect((await callApp(free, 'getSong', { id })).song.userRating).toBeUndefined()
  })

  test('a queue saved by one app is returned to another app of the same person', async () => {
    const id = loose.map((one) => `tr-${one}`)
    await callApp(free, 'savePlayQueueByIndex', { id, currentIndex: '1', position: '1500' })
    const { playQueueByIndex } = await callApp(free, 'getPlayQueueByIndex')
    expect(playQueueByIndex).toMatchObject({ currentIndex: 1, position: 1500, changedBy: 'Test' })
    expect((await callApp(free, 'getPlayQueue')).playQueue.current).toBe(id[1])
    for (const currentIndex of ['-1', '3']) {
      const refused = await callApp(free, 'savePlayQueueByIndex', { id, currentIndex })
      expect(refused.error?.code).toBe(10)
    }
    expect((await callApp(premium, 'getPlayQueue')).playQueue.entry).toEqual([])
  })
})

describe('playlists', () => {
  const tracks = () => [...loose, ...onRelease].map((id) => `tr-${id}`)

  test('can be created, changed and deleted within the limits of the plan', async () => {
    const made = await callApp(free, 'createPlaylist', {
      name: 'Mine',
      songId: tracks().slice(0, 3),
    })
    const { id } = made.playlist
    expect(made.playlist).toMatchObject({ songCount: 3, owner: free.email, readonly: false })
    await callApp(free, 'updatePlaylist', {
      playlistId: id,
      songIndexToRemove: '0',
      songIdToAdd: [tracks()[3]!, tracks()[1]!],
    })
    const { playlist } = await callApp(free, 'getPlaylist', { id })
    expect(playlist.entry.map((song: Answer) => song.id)).toEqual(tracks().slice(1, 4))
    const second = await callApp(free, 'createPlaylist', { name: 'Second' })
    expect(second.error).toMatchObject({ code: 50, helpUrl: expect.stringContaining('/subscribe') })

    const more = await makeTracks(app.services.db, 11, { prefix: 'More' })
    const songId = more.map((one) => `tr-${one}`)
    const full = await callApp(free, 'createPlaylist', { playlistId: id, songId })
    expect(full.error?.code).toBe(50)
    expect((await callApp(free, 'getPlaylists')).playlists.playlist).toHaveLength(1)
    await sql`update tracks set is_published = false where id = any(${more})`.execute(
      app.services.db.query,
    )
    expect((await callApp(premium, 'deletePlaylist', { id })).error?.code).toBe(70)
    expect((await callApp(free, 'deletePlaylist', { id })).status).toBe('ok')
    expect((await callApp(free, 'getPlaylist', { id })).error?.code).toBe(70)
  })
})

test('a playlist’s change time changes only when songs are added, removed or reordered', async () => {
  const songs = loose.slice(0, 3).map((id) => `tr-${id}`)
  const made = await callApp(premium, 'createPlaylist', {
    name: 'Timed',
    songId: songs.slice(0, 2),
  })
  const playlistId = made.playlist.id
  let last = made.playlist.changed
  /** Whether the playlist's change time is later than at the previous check. */
  const hasChanged = async () => {
    const { playlists } = await callApp(premium, 'getPlaylists')
    const { changed } = playlists.playlist.find(({ id }: Answer) => id === playlistId)
    const { playlist } = await callApp(premium, 'getPlaylist', { id: playlistId })
    expect(playlist.changed).toBe(changed)
    const isLater = changed > last
    last = changed
    return isLater
  }
  expect(await hasChanged()).toBe(false)
  await callApp(premium, 'updatePlaylist', { playlistId, songIdToAdd: songs[2]! })
  expect(await hasChanged()).toBe(true)
  await callApp(premium, 'updatePlaylist', { playlistId, songIndexToRemove: '0' })
  expect(await hasChanged()).toBe(true)
  await callApp(premium, 'createPlaylist', { playlistId, songId: [songs[2]!, songs[1]!] })
  expect(await hasChanged()).toBe(true)
  const hide = (is_published: boolean) =>
    sql`update tracks set is_published = ${is_published} where id = ${loose[1]}`.execute(
      app.services.db.query,
    )
  await hide(false)
  expect(await hasChanged()).toBe(true)
  await hide(true)
  expect(await hasChanged()).toBe(true)
  await callApp(premium, 'getPlaylist', { id: playlistId })
  expect(await hasChanged()).toBe(false)
  await callApp(premium, 'deletePlaylist', { id: playlistId })
})

test('a shared playlist is listed once, and is read-only for viewers', async () => {
  const owner = await app.makePerson({ tier: 'premium' })
  const profiles = app.services.db.query.updateTable('profiles')
  await profiles.set({ display_name: 'Ada' }).where('id', '=', owner.id).execute()
  const { body } = await owner.call(createPlaylist, { body: { title: 'Ours', is_public: true } })
  const params = { id: body.id }
  await owner.call(updatePlaylist, { params, body: { track_ids: [loose[0]!] } })
  const join = async (role: 'editor' | 'viewer') => {
    const made = await owner.call(createPlaylistInvitation, { params, body: { role } })
    await premium.call(acceptPlaylistInvitation, { body: { token: made.body.token } })
  }
  const id = `pl-${body.id}`
  const listed = async () => {
    const { playlists } = await callApp(premium, 'getPlaylists')
    return playlists.playlist.filter((one: Answer) => one.id === id)
  }
  await join('viewer')
  expect(await listed()).toMatchObject([{ readonly: true, owner: 'Ada', songCount: 1 }])
  const songIdToAdd = `tr-${loose[1]}`
  const refused = await callApp(premium, 'updatePlaylist', { playlistId: id, songIdToAdd })
  expect(refused.error?.code).toBe(50)
  await join('editor')
  expect(await listed()).toMatchObject([{ readonly: false }])
  expect((await callApp(premium, 'updatePlaylist', { playlistId: id, songIdToAdd })).status).toBe(
    'ok',
  )
  expect((await callApp(premium, 'getPlaylist', { id })).playlist.entry).toHaveLength(2)
  const renamed = await callApp(premium, 'updatePlaylist', { playlistId: id, name: 'Mine' })
  expect(renamed.error?.code).toBe(50)
  expect((await callApp(premium, 'deletePlaylist', { id })).error?.code).toBe(50)
})

test('a smart playlist contains the currently matching songs, and is read-only', async () => {
  const rules: SmartRules = {
    match: 'all',
    groups: [{ match: 'all', rules: [{ kind: 'liked', value: true }] }],
    order: 'title',
    limit: 100,
  }
  const { body } = await premium.call(createPlaylist, { body: { title: 'Liked', rules } })
  const id = `pl-${body.id}`
  const open = async () => (await callApp(premium, 'getPlaylist', { id })).playlist
  const before = await open()
  await callApp(premium, 'star', { id: `tr-${onRelease[1]}` })
  const after = await open()
  expect(after).toMatchObject({ readonly: true, songCount: before.songCount + 1 })
  expect(after.entry.map((song: Answer) => song.id)).toContain(`tr-${onRelease[1]}`)
  const changed = await callApp(premium, 'updatePlaylist', {
    playlistId: id,
    songIdToAdd: `tr-${loose[0]}`,
  })
  expect(changed.status).toBe('failed')
  await callApp(premium, 'unstar', { id: `tr-${onRelease[1]}` })
  await callApp(premium, 'deletePlaylist', { id })
})

describe('plays', () => {
  test('reporting a song as now playing creates a play that only its listener can see', async () => {
    const id = `tr-${loose[0]}`
    await callApp(free, 'scrobble', { id, submission: 'false' })
    const { nowPlaying } = await callApp(free, 'getNowPlaying')
    expect(nowPlaying.entry).toMatchObject([{ id, username: free.email }])
    expect((await callApp(premium, 'getNowPlaying')).nowPlaying.entry).toEqual([])
  })

  test('a repeated scrobble counts as one play, which is listed as recently played', async () => {
    const parameters = { id: `tr-${loose[2]}`, time: String(Date.now() - 120_000) }
    await callApp(premium, 'scrobble', parameters)
    await callApp(premium, 'scrobble', parameters)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from plays where user_id = ${premium.id}`.execute(
      app.services.db.query,
    )
    expect(rows[0]?.count).toBe(1)
    const recent = await premium.call(listRecentlyPlayed, { query: {} })
    expect(recent.body.data.map(({ id }) => id)).toEqual([loose[2]])
    const { albumList2 } = await callApp(premium, 'getAlbumList2', { type: 'recent' })
    expect(albumList2.album[0].id).toBe(`al-${loose[2]}`)
  })

  test('starting playback in another app stops the earlier one if the plan’s limit is exceeded', async () => {
    const person = await makeListener(app, 'free')
    const { body } = await person.call(createDeviceKey, { body: { name: 'Tablet' } })
    const tablet = { ...person, key: body.data.key }
    const state = (name: string) => ({
      mediaId: `tr-${loose[0]}`,
      mediaType: 'song',
      positionMs: '0',
      state: name,
    })
    await callApp(person, 'reportPlayback', state('starting'))
    await callApp(tablet, 'reportPlayback', state('starting'))
    expect((await callApp(person, 'reportPlayback', state('playing'))).status).toBe('failed')
    await callApp(tablet, 'reportPlayback', state('stopped'))
    expect((await callApp(person, 'reportPlayback', state('playing'))).status).toBe('ok')
  })
})
