// Kills the primary database under load several times. Each time its standby takes over. All acknowledged writes must
// be there, and the instances must recover without a restart.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { respondsOk } from '../cluster/responds-ok.ts'
import { startCluster, type Cluster } from '../cluster/cluster.ts'
import { waitUntil } from '../../e2e/harness/service.ts'
import {
  auditAll,
  auditWrites,
  openWorld,
  createWriters,
  type FaultWorld,
} from '../load/fault-world.ts'
import { startLoad } from '../load/load.ts'
import { worldEnv } from '../load/one-process.ts'

const rounds = 2
const longestMs = 4000

let cluster: Cluster
let world: FaultWorld
let urls: string[]

beforeAll(async () => {
  cluster = await startCluster({
    instances: 2,
    workers: 2,
    store: 'stand-in',
    settings: (given) => ({ ...given, ...worldEnv }),
  })
  // Connect without the proxy, so that each client can send its own IP address.
  urls = cluster.instances.map(({ port }) => `http://127.0.0.1:${port}`)
  const processes = [...cluster.instances, ...cluster.workers]
  const logs = processes.map(({ name }) => join(cluster.folder, 'logs', `${name}.log`))
  world = await openWorld({
    urls,
    owner: cluster.database.owner,
    s3: cluster.store.options,
    dataDirs: processes.map(({ name }) => join(cluster.folder, name)),
    output: () => logs.map((file) => readFileSync(file, 'utf8')).join(''),
    close: () => cluster.stop(),
  })
})
afterAll(() => world?.close() ?? cluster?.stop())

const areReady = async () =>
  (await Promise.all(urls.map((url) => respondsOk(`${url}/readyz`)))).every(Boolean)

test('a promoted standby has all acknowledged writes', async () => {
  const writers = createWriters(world)
  const load = startLoad(writers)
  for (let round = 1; round <= rounds; round++) {
    await sleep(1000 + world.chance.below(longestMs))
    const begun = performance.now()
    await cluster.database.promote()
    await waitUntil(areReady, 60_000, 'the promoted server')
    const tookMs = Math.round(performance.now() - begun)
    await load.pause()
    const problems = await auditWrites(world, writers)
    expect(problems, `round ${round} (FAULT_SEED=${world.chance.seed})`).toEqual([])
    process.stdout.write(`  round ${round}: all ready again after ${tookMs} ms\n`)
    load.resume()
    await cluster.database.rejoin()
  }
  await sleep(2000)
  await load.pause()
  expect(await auditAll(world, writers)).toEqual([])
  const told = JSON.stringify(load.acknowledged())
  process.stdout.write(
    `  acknowledged ${told}; responses ${JSON.stringify(world.responses.byStatus())}\n`,
  )
})
