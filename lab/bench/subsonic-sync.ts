// A Subsonic app that copies the whole catalogue: time and memory of the copy, and each call compared with only its SQL
// statements. Apps copy either pages of songs, or album by album.
import { listAlbums } from '#server/features/subsonic/lists.ts'
import { readParameters } from '#server/features/subsonic/parameters.ts'
import { searchCatalogue } from '#server/features/subsonic/search.ts'
import type { MemberContext } from '#server/platform/operations/context.ts'
import { compare, round, measureMs } from '../harness/measure.ts'
import { watchMemory } from '../harness/process-usage.ts'
import { type AppCall, copyByPages, openVelourApp, pageSize, read } from './clients/subsonic-app.ts'
import { openBareSql, type BareSql } from './peers/bare-sql.ts'
import type { Finding } from './report.ts'
import type { BenchWorld } from './world/bench-world.ts'
import { benchMember } from './world/data-set.ts'

const maxSyncSeconds = 60
const maxGrowthMegabytes = 50
/** How many albums an app requests at the same time while it copies. */
const concurrentAlbums = 4
const sampledAlbums = 2000

export async function benchSubsonicSync(world: BenchWorld): Promise<Finding[]> {
  const { call, close } = await openVelourApp(world)
  const bare = openBareSql(world.database.app)
  try {
    const count = await countSongs(bare)
    const findings = [
      await compareCall(world, bare, call, songPage('the first', 0, 20)),
      await compareCall(world, bare, call, songPage('the last', count - pageSize, null)),
      await compareCall(world, bare, call, albumPage('newest', 20, 5)),
      await compareCall(world, bare, call, albumPage('alphabeticalByName', 20, 5)),
      await compareCall(world, bare, call, albumPage('newest', pageSize, null)),
      ...(await copyTwice(world, call, count)),
      await copyByAlbums(world, call, count),
    ]
    for (const { name, value } of findings) world.print(`${name}: ${value}`)
    return findings
  } finally {
    await bare.close()
    await close()
  }
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
  /** Runs the same reads in this process, so that their SQL statements can be recorded. */
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
  call: AppCall,
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

/** Copies twice. The first copy warms up the server. The second one should need hardly more memory. */
async function copyTwice(world: BenchWorld, call: AppCall, count: number): Promise<Finding[]> {
  const first = await copyByPages(call)
  const memory = watchMemory(world.serverPid)
  const second = await copyByPages(call)
  const grown = memory.stop()
  const seconds = Math.min(first.seconds, second.seconds)
  const isComplete = second.songs === count && second.albums > 0
  return [
    {
      name: `copy of all ${count} songs by pages`,
      goal: `≤ ${maxSyncSeconds} s, complete`,
      value: `${seconds} s, ${second.songs} songs and ${second.albums} albums`,
      ok: isComplete && seconds <= maxSyncSeconds,
    },
    {
      name: 'memory of the server during a second copy',
      goal: `≤ ${maxGrowthMegabytes} MB more than after the first`,
      value: `${grown} MB more at most`,
      ok: grown <= maxGrowthMegabytes,
    },
  ]
}

/** Copies only some albums. Apps with large libraries copy by pages instead. */
async function copyByAlbums(world: BenchWorld, call: AppCall, count: number): Promise<Finding> {
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
  const ms = await measureMs(() =>
    Promise.all(
      Array.from({ length: concurrentAlbums }, async () => {
        for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
          await call('getAlbum', { id })
        }
      }),
    ),
  )
  const eachMs = ms / sample.length
  return {
    name: `getAlbum, ${concurrentAlbums} at once, per album`,
    goal: 'none',
    value: `${round(eachMs)} ms; ${Math.round((eachMs * count) / 1000)} s for ${count} singles`,
    ok: true,
  }
}
