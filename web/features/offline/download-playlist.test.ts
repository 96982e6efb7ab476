import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Playlist } from '#contract/playlists.ts'
import type { Profile } from '#contract/profiles.ts'
import { downloadedTracksId } from '../../base/offline-store/downloaded-songs.ts'
import { removePlaylistDownload, downloadPlaylist } from './download-playlist.ts'
import { removeTrackDownload, downloadTrack } from './download-song.ts'
import { syncDownloads } from './sync-downloads.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { useDownloads } from '../../base/offline-store/download-store.ts'
import { readRows } from '../../base/offline-store/offline-db.ts'

const listener = { id: 'ada', display_name: 'Ada', subscription_tier: 'premium' } as Profile
const playlistOf = (id: string) => ({ id, title: id, cover_url: null }) as Playlist
/** The tracks of each playlist on the fake server. */
let tracksOf: Record<string, string[]>
/** If set, the response to a request with this path is delayed until the promise resolves. */
let held: { path: string; asked: () => void; until: Promise<void> } | null
/** The last request for the fake Web Lock. Requests run one after another. */
let turns: Promise<unknown>
/** Paths in request order. */
let requested: string[]
/** The content of each track's audio file. */
let files: Record<string, string>

beforeEach(() => {
  tracksOf = { evening: ['one'], morning: ['two'] }
  held = null
  turns = Promise.resolve()
  requested = []
  files = {}
  const locks = {
    request(_name: string, work: () => Promise<unknown>) {
      const turn = turns.then(work)
      turns = turn
      return turn
    },
  }
  vi.stubGlobal('navigator', { onLine: true, locks, storage: { persist: async () => true } })
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname } = new URL(url, 'http://velour.test')
    requested.push(pathname)
    if (held?.path === pathname) {
      held.asked()
      await held.until
    }
    return answer(pathname)
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

function answer(path: string): Response {
  const [, id = '', isOfTracks] = /^\/api\/playlists\/(\w+)(\/tracks)?$/.exec(path) ?? []
  if (path === '/api/offline-lease') {
    const now = Date.now()
    const [issued_at, expires_at] = [now, now + 3600_000].map((ms) => new Date(ms).toISOString())
    return Response.json({ issued_at, expires_at })
  }
  if (path === '/api/playlists') return Response.json({ data: [], next_cursor: null })
  const [, trackId = ''] = /^\/(?:api\/tracks|audio)\/(\w+)/.exec(path) ?? []
  if (path === `/audio/${trackId}`) return new Response(files[trackId])
  if (files[trackId]) {
    return Response.json({ id: trackId, cover_url: null, audio_url: `/audio/${trackId}` })
  }
  const ids = tracksOf[id]
  if (!ids) return Response.json({ error: { code: 'not_found', message: 'Gone' } }, { status: 404 })
  if (!isOfTracks) return Response.json(playlistOf(id))
  const data = ids.map((trackId) => ({ track: { id: trackId } }))
  return Response.json({ data, total: ids.length })
}

async function downloadBoth(): Promise<void> {
  for (const id of ['evening', 'morning']) await downloadPlaylist(listener, playlistOf(id))
  await turns
}

/** Syncs the playlists, and runs `act` while the tracks of a playlist are being fetched. */
async function followWhile(id: string, act: () => Promise<void>): Promise<void> {
  const asked = Promise.withResolvers<void>()
  const until = Promise.withResolvers<void>()
  held = { path: `/api/playlists/${id}/tracks`, asked: asked.resolve, until: until.promise }
  const followed = syncDownloads()
  await asked.promise
  await act()
  held = null
  until.resolve()
  await followed
  await turns
}

const listDownloadedIds = async () => (await readRows('playlists')).map(({ id }) => id)

test('does not restore a download that was removed during a sync', async () => {
  await downloadBoth()
  expect(await listDownloadedIds()).toEqual(['evening', 'morning'])
  await followWhile('evening', () => removePlaylistDownload('evening'))
  expect(await listDownloadedIds()).toEqual(['morning'])
  expect(useDownloads.getState().playlists.map(({ id }) => id)).toEqual(['morning'])
})

test('restores a playlist when it is downloaded again after removal', async () => {
  await downloadBoth()
  await followWhile('evening', () => removePlaylistDownload('evening'))
  await downloadPlaylist(listener, playlistOf('evening'))
  expect(await listDownloadedIds()).toEqual(['evening', 'morning'])
})

test('syncs changes of a playlist and removes a deleted one', async () => {
  await downloadBoth()
  tracksOf = { evening: ['one', 'three'] }
  await syncDownloads()
  const [evening, ...others] = useDownloads.getState().playlists
  expect(evening?.track_ids).toEqual(['one', 'three'])
  expect(others).toEqual([])
})

test('downloads in browsers that have no storage manager', async () => {
  vi.stubGlobal('navigator', { onLine: true, locks: navigator.locks })
  await downloadPlaylist(listener, playlistOf('evening'))
  await turns
  expect(requested).toContain('/api/tracks/one')
})

test.each([
  [
    'SecurityError',
    'failed',
    'This browser could not save the download. Reload the page and try again.',
  ],
  [
    'QuotaExceededError',
    'full',
    'There is not enough storage on this device. Remove a download or free up space.',
  ],
])('shows the problem when the cache rejects with %s', async (name, problem, message) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const put = () => Promise.reject(new DOMException('refused', name))
  vi.stubGlobal('caches', { open: async () => ({ put, keys: async () => [], delete: () => true }) })
  files = { one: 'sound' }
  await downloadPlaylist(listener, playlistOf('evening'))
  await turns
  expect(useDownloads.getState().problem).toBe(problem)
  const newestToast = () => useToasts.getState().toasts.at(-1)
  await expect.poll(newestToast).toMatchObject({ title: 'Download failed', message })
})

const listDownloadedSongs = async () =>
  (await readRows('playlists')).find(({ id }) => id === downloadedTracksId)?.track_ids

test('stores single songs as a playlist that exists only on this device', async () => {
  files = { one: 'sound', two: 'sound' }
  await downloadTrack(listener, 'one')
  await downloadTrack(listener, 'two')
  await turns
  expect(await listDownloadedSongs()).toEqual(['one', 'two'])
  expect(requested.filter((path) => path.includes(downloadedTracksId))).toEqual([])
  expect(requested).toContain('/audio/two')
  await removeTrackDownload('one')
  await turns
  expect(await listDownloadedSongs()).toEqual(['two'])
  await downloadPlaylist(listener, playlistOf('evening'))
  await removeTrackDownload('two')
  await turns
  expect(await listDownloadedIds()).toEqual(['evening'])
})

test('removes an unpublished song from the device', async () => {
  files = { one: 'sound' }
  await downloadTrack(listener, 'one')
  await downloadTrack(listener, 'gone')
  await turns
  await syncDownloads()
  expect(await listDownloadedSongs()).toEqual(['one'])
})
