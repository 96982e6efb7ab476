// `npm run bench [-- NAME…] [--large | --smoke] [--only TEXT] [--folder PATH] [--subsonic NAME=URL,user,password]`:
// runs benchmarks, prints the results and saves them.
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchWorld, openBenchWorld } from './world/bench-world.ts'
import { benchBrowse } from './browse.ts'
import { benchDelivery } from './delivery.ts'
import { benchExports } from './exports.ts'
import { benchListeners } from './listeners.ts'
import { benchGrowth } from './growth.ts'
import { benchIngest } from './ingest.ts'
import { benchFirstLoad } from './first-load.ts'
import { benchLists } from './lists.ts'
import { benchLongList } from './long-list.ts'
import { benchPlans } from './plans.ts'
import { benchPlayer } from './player.ts'
import { benchPublicPages } from './public-pages.ts'
import { benchSearch } from './search.ts'
import { benchStream } from './stream.ts'
import { benchStart } from './start.ts'
import { benchSubsonic, parseSubsonicPeer } from './subsonic.ts'
import { benchSubsonicSync } from './subsonic-sync.ts'
import { countMet, type Finding, saveResult, writePage } from './report.ts'

const benches: Record<string, (world: BenchWorld, only?: string) => Promise<Finding[]>> = {
  browse: benchBrowse,
  search: benchSearch,
  plans: benchPlans,
  lists: benchLists,
  exports: benchExports,
  stream: benchStream,
  listeners: benchListeners,
  ingest: benchIngest,
  start: benchStart,
  'first-load': benchFirstLoad,
  delivery: benchDelivery,
  player: benchPlayer,
  'public-pages': benchPublicPages,
  'long-list': benchLongList,
  growth: benchGrowth,
  'subsonic-sync': benchSubsonicSync,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    large: { type: 'boolean', default: false },
    /** Runs every benchmark once on a tiny data set, only to check that it works. Saves no results. */
    smoke: { type: 'boolean', default: false },
    only: { type: 'string' },
    /** A server with the Subsonic API to compare with, as `NAME=URL,user,password`. Can be repeated. */
    subsonic: { type: 'string', multiple: true, default: [] },
    /** Folder for the data sets. The next run uses them again. */
    folder: { type: 'string', default: join(tmpdir(), 'velour-bench') },
  },
})

for (const text of values.subsonic) {
  const peer = parseSubsonicPeer(text)
  benches[`subsonic-${peer.name}`] = (world) => benchSubsonic(world, peer)
}
const names = positionals.length > 0 ? positionals : Object.keys(benches)
const unknown = names.find((name) => !Object.hasOwn(benches, name))
if (unknown) {
  console.error(`There is no bench "${unknown}": ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}
await run()

async function run(): Promise<void> {
  await mkdir(values.folder, { recursive: true, mode: 0o711 })
  const world = await openBenchWorld({
    folder: values.folder,
    dataSet: values.smoke ? 'smoke' : values.large ? 'large' : 'usual',
    budgetMs: values.smoke ? 50 : 2_000,
    print: (line) => console.log(`  ${line}`),
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void world.close().finally(() => process.exit(1)))
  }
  try {
    for (const name of names) await runSafely(world, name)
  } finally {
    await world.close()
  }
}

/** Runs one benchmark. If it fails, prints the error, so that the others still run. */
async function runSafely(world: BenchWorld, name: string): Promise<void> {
  const start = performance.now()
  try {
    await runOne(world, name)
  } catch (error) {
    console.error(`  ${name} failed:`, error)
    process.exitCode = 1
  }
  console.log(`  ${Math.round((performance.now() - start) / 1000)} s`)
}

async function runOne(world: BenchWorld, name: string): Promise<void> {
  console.log(`\n${name}, ${world.dataSet} data set`)
  const findings = await benches[name]!(world, values.only)
  console.log(`  ${countMet(findings)}`)
  if (values.smoke || values.only !== undefined) return
  await saveResult(name, world.dataSet, findings)
  await writePage()
}
