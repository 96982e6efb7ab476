// Compares Velour with another server that has the Subsonic API, on the same machine: pages of songs and albums, a
// search, playlists, a copy of everything, and random ranges of audio. The other server has a library of its own.
import { createHash, randomBytes } from 'node:crypto'
import type { BenchWorld } from './world/bench-world.ts'
import { fetchBody } from './world/http-client.ts'
import { compare, round, summarize } from '../harness/measure.ts'
import { requestRanges, connections, rangeBytes, type RangeTarget } from './clients/range-client.ts'
import { type AppCall, copyByPages, openVelourApp, pageSize } from './clients/subsonic-app.ts'
import { putRecordings, recordingBytes } from './world/recordings-on-disk.ts'
import type { Finding } from './report.ts'

export interface SubsonicPeer {
  name: string
  url: string
  user: string
  password: string
}

interface Song {
  id: string
  title: string
  size?: number
}

const apiVersion = '1.16.1'

/** Returns the parameters of a request that authenticate it. */
type Login = (peer: SubsonicPeer) => Record<string, string>

/** A salted hash of the password, since version 1.13 of the API. */
const saltedToken: Login = ({ password }) => {
  const salt = randomBytes(8).toString('hex')
  return {
    t: createHash('md5')
      .update(password + salt)
      .digest('hex'),
    s: salt,
  }
}

/** The password in hex, for servers such as supysonic that store only hashes and can't check a salted one. */
const hexPassword: Login = ({ password }) => ({ p: `enc:${Buffer.from(password).toString('hex')}` })
const streamRounds = 5
const maxSearches = 10
const enoughLongSongs = 5

/** Parses `NAME=URL,user,password`. Throws if the text doesn't have this form. */
export function parseSubsonicPeer(text: string): SubsonicPeer {
  const [, name, url, user, password] = /^([^=]+)=(https?:[^,]+),([^,]+),(.*)$/.exec(text) ?? []
  if (!name || !url || !user || password === undefined) {
    throw new TypeError('--subsonic takes NAME=URL,user,password')
  }
  return { name, url: url.replace(/\/$/, ''), user, password }
}

export async function benchSubsonic(world: BenchWorld, peer: SubsonicPeer): Promise<Finding[]> {
  const address = await openAddresses(peer)
  const songs = await findSongs(peer, address)
  const word = songs[0]!.title.slice(0, 4)
  const theirs: AppCall = (name, params = {}) => fetchBody(address(name, toTexts(params)))
  const app = await openVelourApp(world)
  const findings: Finding[] = []
  try {
    for (const { what, name, own, other } of calls(word)) {
      const times = await compare(
        () => app.call(name, own),
        () => theirs(name, other ?? own),
        world.budgetMs,
      )
      findings.push(finding(`${what}, per answer`, peer, times))
    }
    findings.push(await compareCopies(peer, app.call, theirs))
  } finally {
    await app.close()
  }
  const stream = await compareStreams(world, peer, address, songs)
  if (stream) findings.push(finding('random ranges of 128 KiB, per range', peer, stream))
  else
    world.print(
      `${peer.name} answers no ranges over connections that stay, or has no song that is long enough`,
    )
  for (const { name, value } of findings) world.print(`${name}: ${value}`)
  return findings
}

interface ComparedCall {
  what: string
  name: string
  own: Record<string, string | number>
  /** Parameters for the other server if they differ from ours. */
  other?: Record<string, string | number>
}

const calls = (word: string): ComparedCall[] => [
  { what: 'search3 without words, 500 songs', name: 'search3', own: search('', pageSize) },
  {
    what: 'search3 for a word, 50 songs',
    name: 'search3',
    own: search('moon', 50),
    other: search(word, 50),
  },
  ...['newest', 'alphabeticalByName'].map((type) => ({
    what: `getAlbumList2, 20 albums, ${type}`,
    name: 'getAlbumList2',
    own: { type, size: 20 },
  })),
  { what: 'getPlaylists', name: 'getPlaylists', own: {} },
]

/** Compares the time to copy everything. A first copy warms up both servers. */
async function compareCopies(peer: SubsonicPeer, ours: AppCall, theirs: AppCall): Promise<Finding> {
  await copyByPages(ours)
  await copyByPages(theirs)
  const own = await copyByPages(ours)
  const other = await copyByPages(theirs)
  const perSong = (copy: typeof own) => copy.seconds / copy.songs
  return {
    name: 'copy of everything by pages, per song',
    peer_is: peer.name,
    goal: 'none',
    value:
      `${round(perSong(other) / perSong(own))} × its speed: ` +
      `${own.songs} songs in ${own.seconds} s, ${other.songs} in ${other.seconds} s`,
    ok: true,
  }
}

/** Finds songs, if possible some that are long enough for range requests. */
async function findSongs({ name }: SubsonicPeer, address: Address): Promise<Song[]> {
  const found = new Map<string, Song>()
  for (
    let i = 0;
    i < maxSearches && findLongSongs([...found.values()]).length < enoughLongSongs;
    i++
  ) {
    const { status, error, randomSongs } = await call(address('getRandomSongs', { size: '500' }))
    if (status !== 'ok') throw new Error(`${name} says: ${error?.message}`)
    for (const song of randomSongs?.song ?? []) found.set(song.id, song)
  }
  if (found.size === 0) throw new Error(`${name} has no songs to measure with`)
  return [...found.values()]
}

const findLongSongs = (songs: readonly Song[]) =>
  songs.filter(({ size = 0 }) => size > 2 * rangeBytes)

async function compareStreams(
  world: BenchWorld,
  peer: SubsonicPeer,
  address: Address,
  songs: readonly Song[],
) {
  const long = findLongSongs(songs)
  const paths = long.map(({ id }) => {
    const { pathname, search: query } = new URL(address('stream', { id, format: 'raw' }))
    return pathname + query
  })
  if (!paths[0] || !(await supportsRanges(new URL(paths[0], peer.url)))) return null
  const { hostname, port, protocol } = new URL(peer.url)
  const theirs: RangeTarget = {
    host: hostname,
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
    paths,
    cookies: [],
    fileBytes: Math.min(...long.map(({ size = 0 }) => size)),
  }
  const recordings = await putRecordings(world, 20)
  const own: RangeTarget = {
    host: '127.0.0.1',
    port: Number(new URL(world.url).port),
    paths: recordings.map(({ path }) => path),
    cookies: await world.signInListeners(connections),
    fileBytes: recordingBytes,
  }
  const [ours, others]: [number[], number[]] = [[], []]
  for (let i = 0; i < streamRounds; i++) {
    ours.push((await requestRanges(own, world.budgetMs)).perRangeMs)
    others.push((await requestRanges(theirs, world.budgetMs)).perRangeMs)
  }
  return { ours: summarize(ours), peer: summarize(others) }
}

async function supportsRanges(url: URL): Promise<boolean> {
  const response = await fetch(url, { headers: { range: `bytes=0-${rangeBytes - 1}` } })
  await response.arrayBuffer()
  // The range client keeps its connections open, so the server must, too.
  return response.status === 206 && response.headers.get('connection') !== 'close'
}

function finding(
  name: string,
  peer: SubsonicPeer,
  times: Required<Pick<Finding, 'ours' | 'peer'>>,
): Finding {
  const ratio = round(times.peer.median_ms / times.ours.median_ms)
  return {
    name,
    ...times,
    peer_is: peer.name,
    goal: 'none',
    value: `${ratio} × its speed`,
    ok: true,
  }
}

const search = (query: string, songCount: number) => ({
  query,
  songCount,
  artistCount: 0,
  albumCount: 0,
})

const toTexts = (params: Record<string, string | number>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))

interface SubsonicResponse {
  status: string
  error?: { message: string }
  randomSongs?: { song?: Song[] }
}

/** Doesn't check the status, because some servers report errors only in the body. */
async function call(url: string): Promise<SubsonicResponse> {
  const answer = (await (await fetch(url)).json()) as { 'subsonic-response': SubsonicResponse }
  return answer['subsonic-response']
}

/** Returns the URL of a call with the login in its parameters. */
type Address = (name: string, params?: Record<string, string>) => string

async function openAddresses(peer: SubsonicPeer): Promise<Address> {
  const addressWith = (login: Login): Address => {
    const shared = { u: peer.user, v: apiVersion, c: 'velour-bench', f: 'json' }
    return (name, params) =>
      `${peer.url}/rest/${name}.view?${new URLSearchParams({ ...shared, ...login(peer), ...params })}`
  }
  const withToken = addressWith(saltedToken)
  const { status } = await call(withToken('ping'))
  return status === 'ok' ? withToken : addressWith(hexPassword)
}
