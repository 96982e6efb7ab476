// Measures what one listener, one request and one track cost, in the units that providers bill. docs/scaling.md is
// computed from the results. Starts a cluster with one instance. Run by hand: npm run lab -- lab/capacity/capacity.ts
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createApiClient, publishTrack } from '../../e2e/harness/api-client.ts'
import { makeCrowd } from '../cluster/cluster-people.ts'
import { makeWav } from '../../e2e/harness/make-wav.ts'
import { clusterAdmin, startCluster } from '../cluster/cluster.ts'
import {
  listProcessTree,
  readProcessorSeconds,
  readResidentBytes,
} from '../harness/process-usage.ts'

const people = 100
const trackSeconds = 120
const target = join(import.meta.dirname, 'capacity.json')

const cluster = await startCluster({
  instances: 1,
  workers: 1,
  store: 'stand-in',
  settings: (given) => ({ ...given, S3_DELIVERY: 'proxy' }),
})
try {
  const { database, proxy, instances, workers } = cluster
  const [web] = instances
  const [worker] = workers
  const usage = () => ({
    web: readProcessorSeconds(web!.pid, true),
    proxy: sum(listProcessTree(proxy.pid).map((pid) => readProcessorSeconds(pid))),
    database: sum(listProcessTree(database.primary.pid).map((pid) => readProcessorSeconds(pid))),
  })
  const owner = createApiClient(cluster.address)
  await owner.signIn(clusterAdmin)
  await owner.send('POST', '/api/admin-categories', { category: 'focus', display_name: 'Focus' })
  const workBefore = readProcessorSeconds(worker!.pid, true)
  const { id } = await publishTrack(owner, makeWav(trackSeconds, 262), {
    title: 'Measured',
    category: 'focus',
  })
  const work = readProcessorSeconds(worker!.pid, true) - workBefore
  const crowd = await makeCrowd(cluster, people)
  const idleMemory = readResidentBytes(web!.pid)

  /** Returns the CPU milliseconds of each component for one request. */
  async function costOf(count: number, act: (index: number) => Promise<Response>) {
    for (let i = 0; i < 20; i++) await drain(await act(i))
    const before = usage()
    let bytes = 0
    for (let i = 0; i < count; i += 10) {
      const responses = await Promise.all(Array.from({ length: 10 }, (_, j) => act(i + j)))
      for (const response of responses) bytes += await drain(response)
    }
    const after = usage()
    const each = (part: keyof typeof after) => round(((after[part] - before[part]) * 1000) / count)
    return {
      web_ms: each('web'),
      proxy_ms: each('proxy'),
      database_ms: each('database'),
      bytes,
      count,
    }
  }
  const as = (index: number, method: string, path: string, body?: unknown) =>
    fetch(`${cluster.address}${path}`, {
      method,
      headers: {
        cookie: crowd[index % people]!.cookie,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const players = crowd.map(() => randomUUID())
  const plays = 1_000
  const playBytes = await sizeOf('plays')
  const result = {
    machine: `${availableParallelism()} cores of ${cpus()[0]?.model}`,
    date: new Date().toISOString().slice(0, 10),
    browse: await costOf(1_000, (i) => as(i, 'GET', '/api/tracks')),
    search: await costOf(500, (i) => as(i, 'GET', '/api/tracks?q=meas')),
    beat: await costOf(1_000, (i) => as(i, 'POST', `/api/players/${players[i % people]}/beat`)),
    play: await costOf(plays, (i) =>
      as(i, 'POST', '/api/plays', {
        play_id: randomUUID(),
        track_id: id,
        heard_seconds: 0,
        position_seconds: 0,
        duration_seconds: trackSeconds,
      }),
    ),
    play_row_bytes: 0,
    stream: await costOf(300, (i) => as(i, 'GET', `/api/tracks/${id}/stream`)),
    web_idle_bytes: idleMemory,
    stored_bytes_per_minute: await storedBytes(trackSeconds / 60),
    pipeline_seconds_per_minute: round(work / (trackSeconds / 60)),
  }
  result.play_row_bytes = Math.round(((await sizeOf('plays')) - playBytes) / (plays + 20))
  writeFileSync(target, `${JSON.stringify(result, null, 2)}\n`)
  console.log(result)

  async function sizeOf(table: string): Promise<number> {
    return query(`select pg_total_relation_size('${table}') as value`)
  }
  async function storedBytes(minutes: number): Promise<number> {
    return Math.round(
      (await query(
        `select (select sum(byte_size) from renditions) + (select sum(source_bytes) from tracks) as value`,
      )) / minutes,
    )
  }
  async function query(statement: string): Promise<number> {
    const url = new URL(database.superuser(database.primary))
    url.pathname = '/velour'
    const client = new pg.Client(url.href)
    await client.connect()
    const { rows } = await client.query<{ value: string }>(statement)
    await client.end()
    return Number(rows[0]!.value)
  }
} finally {
  await cluster.stop()
}

async function drain(response: Response): Promise<number> {
  if (response.status >= 400)
    throw new Error(`Answered ${response.status}: ${await response.text()}`)
  return (await response.arrayBuffer()).byteLength
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
