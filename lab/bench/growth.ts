// The same requests to servers with a thousand, ten thousand, a hundred thousand and (with --large) a million rows. A
// list that is read in the order of an index must not become slower with more rows.
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import { listUsers } from '#contract/admin/admin-users.ts'
import { listPlaylists } from '#contract/playlists.ts'
import { listRecentlyPlayed } from '#contract/plays.ts'
import { listTracks } from '#contract/tracks.ts'
import { type BenchWorld, signIn } from './world/bench-world.ts'
import type { Curve } from './curve.ts'
import { benchAdmin, benchMember, type DataSetName, dataSetSizes } from './world/data-set.ts'
import { fetchBody } from './world/http-client.ts'
import { round, summarize, measureMs } from '../harness/measure.ts'
import { prepareFolder } from './world/prepared-folder.ts'
import type { Finding } from './report.ts'
import { startServer } from './world/server-process.ts'

const rounds = 40
const warmUps = 5

/**
 * `mayGrow` is the highest allowed factor of the response time when the number of rows is ten times higher. Lists that
 * are read in the order of an index should stay at 1. A search has ten times as many matches to count.
 */
const questions = [
  { name: 'Browse', who: benchMember, path: listTracks.path, mayGrow: 1.5 },
  { name: 'search', who: benchMember, path: `${listTracks.path}?q=lighthouse%20so`, mayGrow: 10 },
  { name: 'my playlists', who: benchMember, path: listPlaylists.path, mayGrow: 1.5 },
  { name: 'liked', who: benchMember, path: `${listTracks.path}?liked=true`, mayGrow: 1.5 },
  { name: 'recently played', who: benchMember, path: listRecentlyPlayed.path, mayGrow: 1.5 },
  { name: 'people', who: benchAdmin, path: listUsers.path, mayGrow: 1.5 },
  { name: 'audit log', who: benchAdmin, path: listAuditLog.path, mayGrow: 1.5 },
]

export async function benchGrowth(world: BenchWorld): Promise<Finding[]> {
  const sets: Record<typeof world.dataSet, DataSetName[]> = {
    tiny: ['tiny'],
    small: ['tiny', 'small'],
    smoke: ['tiny', 'smoke'],
    usual: ['tiny', 'small', 'usual'],
    large: ['tiny', 'small', 'usual', 'million'],
    million: ['tiny', 'small', 'usual', 'million'],
  }
  const lines = questions.map(({ name }): Curve['lines'][number] => ({ name, points: [] }))
  for (const set of sets[world.dataSet]) {
    const rows = dataSetSizes[set].users
    const medians = await measureAt(world, set)
    medians.forEach((ms, i) => lines[i]!.points.push([rows, ms]))
    world.print(
      `${rows} rows: ${lines.map(({ name }, i) => `${name} ${medians[i]} ms`).join(', ')}`,
    )
  }
  return questions.map(({ name, mayGrow }, i) => {
    const { points } = lines[i]!
    const growth = round((points.at(-1)?.[1] ?? NaN) / (points.at(-2)?.[1] ?? NaN))
    return {
      name,
      goal: `≤ ${mayGrow} × with ten times the rows (or 1 ms more)`,
      value: `${growth} × (${points.map(([rows, ms]) => `${rows.toLocaleString('en')}: ${ms} ms`).join(', ')})`,
      ok: growth <= mayGrow || points.at(-1)![1] - points.at(-2)![1] <= 1,
      ...(i === 0 && { curve: { x: 'rows', y: 'ms per answer', lines } }),
    }
  })
}

/** Returns the median response time of each request in milliseconds. */
async function measureAt(world: BenchWorld, set: DataSetName): Promise<number[]> {
  const server = await startServer({ DATA_DIR: await prepareFolder(world, set) })
  try {
    const cookies = new Map<string, string>()
    for (const who of [benchMember, benchAdmin]) cookies.set(who, await signIn(server.url, who))
    const tookMs: number[][] = questions.map(() => [])
    for (let i = 0; i < rounds + warmUps; i++) {
      for (const [which, { who, path }] of questions.entries()) {
        const ms = await measureMs(() =>
          fetchBody(server.url + path, { cookie: cookies.get(who)! }),
        )
        if (i >= warmUps) tookMs[which]!.push(ms)
      }
    }
    return tookMs.map((times) => summarize(times).median_ms)
  } finally {
    await server.stop()
  }
}
