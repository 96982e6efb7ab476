// An app of the Subsonic kind that copies the whole catalogue: time and memory of the copy, and the calls of which it
// consists, compared with their SQL alone. Apps copy in one of two ways: by pages of songs, or album by album.
import { createDeviceKey, revokeDeviceKey } from '#contract/device-keys.ts'
import { listAlbums } from '#server/features/subsonic/lists.ts'
import { readParameters } from '#server/features/subsonic/parameters.ts'
import { searchCatalogue } from '#server/features/subsonic/search.ts'
import type { MemberContext } from '#server/platform/operations/context.ts'
import { compare, round, timeMs } from '../harness/measure.ts'
import { watchMemory } from '../harness/process-usage.ts'
import { openBareSql, type BareSql } from './peers/bare-sql.ts'
import type { Finding } from './report.ts'
import type { BenchWorld } from './world/bench-world.ts'
import { benchMember } from './world/data-set.ts'
import { ask } from './world/http-client.ts'

/** The largest page of the API. Apps use it to copy. */
const pageSize = 500
const mostSyncSeconds = 60
const mostGrowthMegabytes = 50
/** Apps ask for so many albums at once while they copy. */
const albumsAtOnce = 4
const sampledAlbums = 2000

type Call = (name: string, params?: Record<string, string | number>) => Promise<Buffer>

export async function benchSubsonicSync(world: BenchWorld): Promise<Finding[]> {
  const { id, key } = await createKey(world)
  const call: Call = (name, params = {}) => {
    const given = Object.entries(params).map(([field, value]) => [field, String(value)])
    const query = new URLSearchParams([['apiKey', key], ['c', 'bench'], ['f', 'json'], ...given])
    return ask(`${world.url}/rest/${name}?${query}`)
  }
  const bare = openBareSql(world.database.app)
  try {
    const count = await countSongs(bare)
    const findings = [
      await compareCall(world, bare, call, songPage('the first', 0, 20)),
      await compareCall(world, bare, call, songPage('the last', count - pageSize, null)),
      await compareCall(world, bare, call, albumPage('newest', 20, 5)),
      await compareCall(world, bare, call, albumPage('alphabeticalByName', 20, 5)),
      await compareCall(world, bare, call, albumPage('newest', pageSize, null)),
      ...(await copyByPages(world, call, count)),
      await copyByAlbums(world, call, count),
    ]
    for (const { name, value } of findings) world.print(`${name}: ${value}`)
    return findings
  } finally {
    await bare.close()
    await fetch(world.url + revokeDeviceKey.path.replace(':id', id), {
      method: revokeDeviceKey.method,
      headers: { cookie: world.member, origin: world.url },
    })
  }
}

async function createKey(world: BenchWorld): Promise<{ id: string; key: string }> {
  const answer = await ask(world.url + createDeviceKey.path, {
    cookie: world.member,
    body: { name: 'Bench' },
  })
  return (JSON.parse(String(answer)) as { data: { id: string; key: string } }).data
}

async function countSongs({ pool }: BareSql): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from tracks where is_published',
  )
  return rows[0]!.count
}

interface MeasuredCall {
  name: string
  endpoint: string
  params: Record<string, string | number>
  /** The same reading in this process, whose statements are recorded. */
  read: (ctx: MemberContext, query: string) => Promise<unknown>
  goalMs: number | null
}

const songPage = (which: string, songOffset: number, goalMs: number | null): MeasuredCall => ({
  name: `search3 without words, ${which} ${pageSize} songs`,
  endpoint: 'search3',
  params: {
    query: '',
    songCount: pageSize,
    songOffset: Math.max(0, songOffset),
    artistCount: 0,
    albumCount: 0,
  },
  read: (ctx, query) => searchCatalogue({ ctx, parameters: readParameters(query, '') }),
  goalMs,
})

const albumPage = (type: string, size: number, goalMs: number | null): MeasuredCall => ({
  name: `getAlbumList2, ${size} albums, ${type}`,
  endpoint: 'getAlbumList2',
  params: { type, size },
  read: (ctx, query) => listAlbums({ ctx, parameters: readParameters(query, '') }),
  goalMs,
})

async function compareCall(
  world: BenchWorld,
  bare: BareSql,
  call: Call,
  { name, endpoint, params, read, goalMs }: MeasuredCall,
): Promise<Finding> {
  const query = new URLSearchParams(
    Object.entries(params).map(([field, value]) => [field, String(value)]),
  ).toString()
  const statements = await bare.record(benchMember, (ctx) => read(ctx, query))
  const times = await compare(
    () => call(endpoint, params),
    () => bare.run(statements),
    world.budgetMs,
  )
  return {
    name,
    ...times,
    peer_is: 'bare SQL',
    goal: goalMs === null ? 'none' : `≤ ${goalMs} ms`,
    value: `${times.ours.median_ms} ms, ${round(times.ours.median_ms / times.peer.median_ms)} × its SQL`,
    ok: goalMs === null || times.ours.median_ms <= goalMs,
  }
}

interface Listed {
  id: string
}
interface Answer {
  'subsonic-response': {
    status: string
    artists?: { index: { artist: Listed[] }[] }
    albumList2?: { album?: Listed[] }
    searchResult3?: { song?: Listed[] }
  }
}

async function read(call: Call, name: string, params?: Record<string, string | number>) {
  const answer = (JSON.parse(String(await call(name, params))) as Answer)['subsonic-response']
  if (answer.status !== 'ok') throw new Error(`${name} answered ${JSON.stringify(answer)}`)
  return answer
}

/** Counts every id once, page by page until one is not full. */
async function countAll(page: (offset: number) => Promise<Listed[]>): Promise<number> {
  const ids = new Set<string>()
  for (let offset = 0; ; offset += pageSize) {
    const rows = await page(offset)
    for (const { id } of rows) ids.add(id)
    if (rows.length < pageSize) return ids.size
  }
}

/** Twice: the first copy warms the server up, and memory is flat if the second one needs hardly more. */
async function copyByPages(world: BenchWorld, call: Call, count: number): Promise<Finding[]> {
  const first = await copy(call)
  const memory = watchMemory(world.serverPid)
  const second = await copy(call)
  const grown = memory.stop()
  const seconds = Math.min(first.seconds, second.seconds)
  const isComplete = second.songs === count && second.albums > 0
  return [
    {
      name: `copy of all ${count} songs by pages`,
      goal: `≤ ${mostSyncSeconds} s, complete`,
      value: `${seconds} s, ${second.songs} songs and ${second.albums} albums`,
      ok: isComplete && seconds <= mostSyncSeconds,
    },
    {
      name: 'memory of the server during a second copy',
      goal: `≤ ${mostGrowthMegabytes} MB more than after the first`,
      value: `${grown} MB more at most`,
      ok: grown <= mostGrowthMegabytes,
    },
  ]
}

async function copy(call: Call): Promise<{ seconds: number; songs: number; albums: number }> {
  let songs = 0
  let albums = 0
  const ms = await timeMs(async () => {
    await read(call, 'getArtists')
    albums = await countAll(async (offset) => {
      const params = { type: 'alphabeticalByName', size: pageSize, offset }
      return (await read(call, 'getAlbumList2', params)).albumList2?.album ?? []
    })
    songs = await countAll(async (songOffset) => {
      const params = { query: '', songCount: pageSize, songOffset, artistCount: 0, albumCount: 0 }
      return (await read(call, 'search3', params)).searchResult3?.song ?? []
    })
  })
  return { seconds: round(ms / 1000), songs, albums }
}

/** Measured on a part, because the other way is the one of apps with large libraries. */
async function copyByAlbums(world: BenchWorld, call: Call, count: number): Promise<Finding> {
  const most = world.dataSet === 'smoke' ? 20 : sampledAlbums
  const ids: string[] = []
  while (ids.length < Math.min(most, count)) {
    const params = { type: 'newest', size: pageSize, offset: ids.length }
    const page = (await read(call, 'getAlbumList2', params)).albumList2?.album ?? []
    if (page.length === 0) break
    ids.push(...page.map(({ id }) => id))
  }
  const sample = ids.slice(0, most)
  const waiting = [...sample]
  const ms = await timeMs(() =>
    Promise.all(
      Array.from({ length: albumsAtOnce }, async () => {
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
          await call('getAlbum', { id })
        }
      }),
    ),
  )
  const eachMs = ms / sample.length
  return {
    name: `getAlbum, ${albumsAtOnce} at once, per album`,
    goal: 'none',
    value: `${round(eachMs)} ms; ${Math.round((eachMs * count) / 1000)} s for ${count} singles`,
    ok: true,
  }
}
