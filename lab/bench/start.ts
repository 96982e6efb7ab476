// Time from the start of a server to its first response with 200, on a data folder with little data and on one with ten
// times as much. Also the memory of the idle server and its database.
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { listTracks } from '#contract/tracks.ts'
import { type BenchWorld, signIn } from './world/bench-world.ts'
import { benchMember, type DataSetName } from './world/data-set.ts'
import { fetchBody } from './world/http-client.ts'
import { percentile, round, summarize } from '../harness/measure.ts'
import { prepareFolder } from './world/prepared-folder.ts'
import {
  canReadUsage,
  listProcessTree,
  readProportionalMegabytes,
} from '../harness/process-usage.ts'
import type { Finding } from './report.ts'
import { startServer } from './world/server-process.ts'

interface Prepared {
  dataDir: string
  startMs: number[]
  serverMegabytes: number[]
  databaseMegabytes: number[]
}

export async function benchStart(world: BenchWorld): Promise<Finding[]> {
  const isSmoke = world.dataSet === 'smoke'
  const [less, more] = [
    await prepare(world, isSmoke ? 'tiny' : 'small'),
    await prepare(world, isSmoke ? 'smoke' : 'usual'),
  ]
  for (let i = 0; i < (isSmoke ? 1 : 5); i++) {
    // The first start is a warm-up, which reads Node and the server's files from disk.
    for (const one of [less, more])
      await startOnce(one, { isWarmUp: i === 0 && !isSmoke, restMs: isSmoke ? 500 : 3_000 })
  }
  const [small, large] = [summarize(less.startMs), summarize(more.startMs)]
  const ratio = round(large.median_ms / small.median_ms)
  world.print(`start: ${small.median_ms} ms, with ten times as much ${large.median_ms} ms`)
  return [
    {
      name: 'start to the first 200',
      ours: large,
      goal: '≤ 2 s',
      value: `${round(large.median_ms / 1000)} s`,
      ok: large.median_ms <= 2_000,
    },
    {
      name: 'start with ten times as much data',
      ours: large,
      peer: small,
      peer_is: 'with a tenth of it',
      goal: '≤ 1.2 ×',
      value: `${ratio} ×`,
      ok: ratio <= 1.2,
    },
    memory('idle memory of the server', more.serverMegabytes, 150),
    memory('idle memory of the database', more.databaseMegabytes, 100),
  ]
}

async function prepare(world: BenchWorld, name: DataSetName): Promise<Prepared> {
  const dataDir = await prepareFolder(world, name)
  return { dataDir, startMs: [], serverMegabytes: [], databaseMegabytes: [] }
}

async function startOnce(one: Prepared, options: { isWarmUp: boolean; restMs: number }) {
  const server = await startServer({ DATA_DIR: one.dataDir })
  try {
    if (options.isWarmUp) return
    one.startMs.push(server.startMs)
    if (!canReadUsage) return
    const cookie = await signIn(server.url, benchMember)
    await fetchBody(server.url + listTracks.path, { cookie })
    await sleep(options.restMs)
    const isDatabase = (pid: number) =>
      execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).startsWith(
        'postgres',
      )
    const database = listProcessTree(server.pid).filter(
      (pid) => pid !== server.pid && isDatabase(pid),
    )
    one.serverMegabytes.push(readProportionalMegabytes([server.pid]))
    one.databaseMegabytes.push(readProportionalMegabytes(database))
  } finally {
    await server.stop()
  }
}

function memory(name: string, megabytes: readonly number[], most: number): Finding {
  const median = percentile(megabytes, 0.5)
  return {
    name,
    goal: `≤ ${most} MB`,
    value: canReadUsage
      ? `${median} MB (its share of what it shares with others)`
      : 'only available on Linux',
    ok: canReadUsage && median <= most,
  }
}
