// Tests third-party clients on a library of 10,000 songs, each with a Free and a Premium account: `subsonic-api`
// (TypeScript), `py-opensonic` and `knuckles` (Python), `go-subsonic` (Go).
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import SubsonicAPI from 'subsonic-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInOwner } from '../../e2e/harness/api-client.ts'
import {
  walkPlaylist,
  fillLibrary,
  makeAppUser,
  playSong,
  previewSeconds,
  songSeconds,
  syncLibrary,
  type AppUser,
} from '../../e2e/harness/app-walk.ts'
import { startService, type Service } from '../../e2e/harness/service.ts'

const songCount = 10_000
const artistCount = 8

let service: Service
let library: { audible: string[]; total: number }
let people: Record<'free' | 'premium', AppUser>

beforeAll(async () => {
  service = await startService()
  const owner = await signInOwner(service.url)
  library = await fillLibrary(service, owner, songCount)
  people = {
    free: await makeAppUser(service, owner, 'app-free', 'free'),
    premium: await makeAppUser(service, owner, 'app-premium', 'premium'),
  }
})
afterAll(() => service.remove())

interface Walk {
  logins: string[]
  found: { song: string[]; album: string[]; artist: string[] }
  through_albums: string[]
  artists: number
  playlist: { name: string; songs: string[] }
  starred: string[]
  queue: [string[], number, number]
  lyrics: string[]
  similar: number
  extensions: string[]
  play: { bytes: number; size: number; type: string; played: boolean }
  download: number | string
}

interface KnucklesWalk {
  found: Walk['found']
  /** Number of albums that were found through artists. */
  through_artists: number
  account: { starred: string[]; rated: number; lyrics: string; empty: number[] }
  play: Omit<Walk['play'], 'played'>
  /** Extension of the cover's file name. */
  cover: string
}

type GoWalk = Omit<Walk, 'play' | 'similar' | 'download'> & {
  play: Omit<Walk['play'], 'type'>
  cover_width: number
  downloads: boolean
}

/** Runs the actions of one test with a client in Python. */
function walkInPython<Result>(script: string, { email, key }: AppUser, songId: string) {
  const { hostname, port, protocol } = new URL(service.url)
  return runWalk<Result>(
    [process.env['PYTHON_CLIENTS'] ?? 'python3', join(import.meta.dirname, script)],
    { url: `${protocol}//${hostname}`, port: Number(port), email, key, songId },
  )
}

/** Starts the program, writes the input to it as JSON and reads its result as JSON. */
async function runWalk<Result>(
  [program, ...args]: [string, ...string[]],
  input: object,
): Promise<Result> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(input))
  let output = ''
  for await (const chunk of child.stdout) output += String(chunk)
  return JSON.parse(output) as Result
}

describe.each(['free', 'premium'] as const)('with a %s account', (tier) => {
  test('subsonic-api copies the library, plays and edits playlists', async () => {
    const { email, key } = people[tier]
    const app = new SubsonicAPI({
      url: service.url,
      auth: { username: email, password: key },
      post: true,
    })
    const { songIds, albumIds, artistIds } = await syncLibrary(app)
    expect(new Set(songIds).size).toBe(library.total)
    expect(new Set(albumIds).size).toBe(library.total)
    expect(artistIds).toHaveLength(artistCount)
    const length = tier === 'free' ? previewSeconds : songSeconds
    const played = await playSong(app, library.audible[1]!)
    expect(Math.abs(played.seconds - length)).toBeLessThan(0.5)
    expect((await walkPlaylist(app, songIds.slice(0, 3))).songs).toEqual(songIds.slice(1, 3))
  })

  test('py-opensonic does the same, and parses every response', async () => {
    const [songId] = library.audible as [string]
    const walk = await walkInPython<Walk>('py_opensonic_walk.py', people[tier], songId)
    const { song, album, artist } = walk.found
    expect(walk.logins).toEqual(['token', 'password', 'api_key'])
    expect(new Set(song).size).toBe(library.total)
    expect(song).toHaveLength(library.total)
    expect(album).toHaveLength(library.total)
    expect([artist.length, walk.artists]).toEqual([artistCount, artistCount])
    expect(walk.through_albums).toEqual(album.slice(0, 50).map((id) => id.replace('al-', 'tr-')))
    expect(walk.playlist).toEqual({ name: 'On the road', songs: song.slice(1, 3) })
    expect(walk.starred).toEqual(song.slice(0, 1))
    expect(walk.queue).toEqual([song.slice(0, 3), 2, 1500])
    expect(walk.lyrics).toEqual(['First light'])
    expect(walk.extensions).toContain('sonicSimilarity')
    expect(walk.play).toMatchObject({ bytes: walk.play.size, type: 'audio/mp4', played: true })
    const isKept = typeof walk.download === 'number'
    expect(isKept).toBe(tier === 'premium')
  })

  test('go-subsonic does the same in XML and in JSON', async () => {
    const [songId] = library.audible as [string]
    const { email, key } = people[tier]
    const program = process.env['GO_SUBSONIC_WALK'] ?? 'go-subsonic-walk'
    const walk = await runWalk<GoWalk>([program], { url: service.url, email, key, songId })
    const { song, album, artist } = walk.found
    expect(walk.logins).toEqual(['password, JSON', 'token, XML', 'token, JSON'])
    expect([song.length, album.length]).toEqual([library.total, library.total])
    expect([new Set(song).size, new Set(album).size]).toEqual([library.total, library.total])
    expect([artist.length, walk.artists]).toEqual([artistCount, artistCount])
    expect(walk.through_albums).toEqual(album.slice(0, 50).map((id) => id.replace('al-', 'tr-')))
    expect(walk.playlist).toEqual({ name: 'On the road', songs: song.slice(1, 3) })
    expect(walk.starred).toEqual(song.slice(0, 1))
    expect(walk.queue).toEqual([song.slice(0, 3), 2, 1500])
    expect(walk.lyrics).toEqual(['First light'])
    expect(walk.extensions).toContain('playbackReport')
    expect(walk.play).toEqual({ bytes: walk.play.size, size: walk.play.size, played: true })
    expect(walk.cover_width).toBeGreaterThanOrEqual(300)
    expect(walk.downloads).toBe(tier === 'premium')
  })

  test('most of it works in knuckles, whose models require every field', async () => {
    const [songId] = library.audible as [string]
    const walk = await walkInPython<KnucklesWalk>('knuckles_walk.py', people[tier], songId)
    expect(new Set(walk.found.song).size).toBe(library.total)
    expect(new Set(walk.found.album).size).toBe(library.total)
    expect(walk.found.artist).toHaveLength(artistCount)
    expect(walk.through_artists).toBe(library.total)
    expect(walk.account.starred).toContain(songId)
    expect(walk.account).toMatchObject({ rated: 4, lyrics: 'First light', empty: [0, 0, 0] })
    expect(walk.play).toMatchObject({ bytes: walk.play.size, type: 'audio/mp4' })
    expect(walk.cover).toMatch(/\.(?:jpg|png)$/)
  })
})
