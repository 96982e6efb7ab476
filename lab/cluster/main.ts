// `npm run cluster`: runs a cluster until Ctrl+C. Commands that are typed in the terminal kill and start its processes.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type Cluster, clusterAdmin, startCluster } from './cluster.ts'
import type { ClusterProcess } from './cluster-process.ts'

const print = (line: string): void => {
  process.stdout.write(`  ${line}\n`)
}
const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stopped.abort())
}

async function main(): Promise<void> {
  const folder = resolve(process.env['DATA_DIR'] ?? 'data/cluster')
  const hasSwift = existsSync('/usr/bin/swift-proxy-server')
  if (!hasSwift) print('OpenStack Swift is not installed: a small stand-in stores the objects.')
  const cluster = await startCluster({
    folder,
    port: Number(process.env['PORT'] ?? 3000),
    store: hasSwift ? 'swift' : 'stand-in',
    print,
  })
  print('')
  print(`Velour is ready at ${cluster.address}`)
  print(`Admin: ${clusterAdmin.email}, password ${clusterAdmin.password}`)
  print(`All data is stored in ${folder}, with a log of each process in logs/.`)
  print('')
  print('Type: kill NAME, start NAME, pause NAME, resume NAME, promote, rejoin. Ctrl+C stops all.')
  const lines = createInterface(process.stdin)
  lines.on('line', (line) => {
    runCommand(cluster, line.trim()).catch((error: unknown) => print(String(error)))
  })
  if (!stopped.signal.aborted) {
    await new Promise((done) => stopped.signal.addEventListener('abort', done))
  }
  lines.close()
  print('Stopping.')
  await cluster.stop()
}

async function runCommand(cluster: Cluster, line: string): Promise<void> {
  const [verb = '', name = ''] = line.split(/\s+/)
  if (verb === '') return
  if (verb === 'promote' || verb === 'rejoin') {
    await cluster.database[verb]()
    return print(`Done: ${cluster.database.primary.name} takes writes.`)
  }
  const { proxy, instances, workers, database } = cluster
  const all = [proxy, ...instances, ...workers, database.primary, database.standby]
  const found = all.find((one) => one.name === name)
  if (!found) return print(`There is ${all.map((one) => one.name).join(', ')}.`)
  const verbs: Record<string, (process: ClusterProcess) => Promise<void> | void> = {
    kill: (one) => one.kill(),
    start: (one) => one.start(),
    pause: (one) => one.pause(),
    resume: (one) => one.resume(),
  }
  const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (!act) return print(`There is ${Object.keys(verbs).join(', ')}, promote, rejoin.`)
  await act(found)
  print(`Done: ${verb} ${name}.`)
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`\n  ${error instanceof Error ? error.message : String(error)}\n\n`)
    process.exit(1)
  },
)
