// Runs everything in compose.scale.yaml as processes on this machine: a proxy, web and worker instances, PostgreSQL
// with a synchronous standby, and an object store. Each process can be killed, and restarted with its data.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, type S3Server } from '#server/testing/storage/s3-server.ts'
import { startS3StandIn } from '#server/testing/storage/s3-stand-in.ts'
import { startSwift } from '#server/testing/storage/swift-server.ts'
import { respondsOk } from './responds-ok.ts'
import { type ClusterDatabase, createClusterDatabase } from './cluster-database.ts'
import { type ClusterProcess, createClusterProcess } from './cluster-process.ts'
import { createClusterProxy } from './cluster-proxy.ts'

export interface Cluster {
  /** URL of the proxy, without a trailing slash. */
  address: string
  proxy: ClusterProcess
  /** Instances with ROLE=web. Each can also be reached without the proxy at its port. */
  instances: ClusterProcess[]
  /** Instances with ROLE=worker. */
  workers: ClusterProcess[]
  /** The databases. Tests call `database.primary.kill()`, `database.promote()` and `database.rejoin()`. */
  database: ClusterDatabase
  store: S3Server
  /** Environment variables of every instance. They also start a tool or another instance of the same service. */
  settings: Record<string, string>
  /** The data folder. Its folder `logs/` has a log file for each process. */
  folder: string
  /** Stops all processes gracefully. Deletes the folder unless it was given. */
  stop: () => Promise<void>
}

export const clusterAdmin = { email: 'owner@velour.test', password: 'an-owner-password' }

const entry = join(import.meta.dirname, '..', '..', 'server', 'main.ts')

/**
 * Starts a cluster. Resolves when every process is ready. If a process doesn't start, throws with the end of its
 * output. Of the environment, only the paths of programs are used.
 */
export async function startCluster(
  options: {
    /** Data folder that is kept for the next start. By default a temporary one. */
    folder?: string
    /** Port of the proxy. By default a free one. */
    port?: number
    instances?: number
    workers?: number
    standby?: boolean
    /** `swift` checks signatures, like real object stores. `stand-in` needs no package of the system. */
    store?: 'swift' | 'stand-in'
    /** Changes the environment variables of all instances, for example to put a proxy in front of a dependency. */
    settings?: (given: Record<string, string>) => Record<string, string>
    /** Returns the file to run instead of server/main.ts. Called at every start with a name such as `web-1`. */
    entryOf?: (name: string) => string
    /**
     * True to let clients choose the address that the proxy forwards, so that one machine can simulate many clients.
     */
    trustsForwardedAddresses?: boolean
    print?: (line: string) => void
  } = {},
): Promise<Cluster> {
  const { instances = 3, workers = 2, standby = true, store = 'swift', print = () => {} } = options
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'velour-cluster-'))
  mkdirSync(folder, { recursive: true })
  // Let other users enter the folder: if this runs as root, the database runs as another user.
  chmodSync(folder, 0o711)
  const logs = join(folder, 'logs')
  mkdirSync(logs, { recursive: true, mode: 0o711 })
  const closers: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const close of closers.splice(0).toReversed()) await close()
    if (!options.folder) rmSync(folder, { recursive: true, force: true })
  }
  const begin = async <P extends ClusterProcess>(process: P): Promise<P> => {
    closers.push(() => process.stop())
    await process.start()
    print(`${process.name.padEnd(12)} 127.0.0.1:${process.port}  process ${process.pid}`)
    return process
  }
  try {
    const database = await createClusterDatabase({
      folder: join(folder, 'database'),
      logs,
      ports: [await freePort(), await freePort()],
      withStandby: standby,
    })
    closers.push(() => database.stop())
    await database.start()
    for (const server of [database.primary, ...(standby ? [database.standby] : [])]) {
      print(`${server.name.padEnd(12)} 127.0.0.1:${server.port}  process ${server.pid}`)
    }
    const storeFolder = join(folder, 'store')
    mkdirSync(storeFolder, { recursive: true })
    const start = store === 'swift' ? startSwift : startS3StandIn
    const s3 = await start({ folder: storeFolder })
    closers.push(() => s3.close())
    print(`${'store'.padEnd(12)} ${s3.options.endpoint?.replace('http://', '')}  ${store}`)

    const port = options.port ?? (await freePort())
    const address = `http://127.0.0.1:${port}`
    const given = buildSettings({ address, standby, database, s3 })
    const settings = options.settings?.(given) ?? given
    const create = async (role: 'web' | 'worker', index: number) =>
      createInstance({
        name: `${role}-${index + 1}`,
        role,
        port: await freePort(),
        folder,
        settings,
        entryOf: options.entryOf ?? (() => entry),
      })
    const web = await Promise.all(Array.from({ length: instances }, (_, i) => create('web', i)))
    const work = await Promise.all(Array.from({ length: workers }, (_, i) => create('worker', i)))
    // Start one instance first, which runs the migrations. The others would only wait for it.
    const [first, ...others] = [...web, ...work]
    if (first) await begin(first)
    await Promise.all(others.map(begin))
    const upstreams = web.map((instance) => instance.port)
    const proxy = await begin(
      createClusterProxy({
        folder: join(folder, 'proxy'),
        logs,
        port,
        upstreams,
        trustsForwardedAddresses: options.trustsForwardedAddresses ?? false,
      }),
    )
    return {
      address,
      proxy,
      instances: web,
      workers: work,
      database,
      store: s3,
      settings,
      folder,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function createInstance(options: {
  name: string
  role: 'web' | 'worker'
  port: number
  folder: string
  settings: Record<string, string>
  entryOf: (name: string) => string
}): ClusterProcess {
  const { name, role, port, folder, settings } = options
  return createClusterProcess({
    name,
    port,
    logFile: join(folder, 'logs', `${name}.log`),
    command: () => ({
      program: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', options.entryOf(name)],
      env: {
        PATH: process.env['PATH'],
        FFMPEG_PATH: process.env['FFMPEG_PATH'],
        ...settings,
        ROLE: role,
        PORT: String(port),
        DATA_DIR: join(folder, name),
      },
    }),
    isReady: () => respondsOk(`http://127.0.0.1:${port}/readyz`),
  })
}

function buildSettings(parts: {
  address: string
  standby: boolean
  database: ClusterDatabase
  s3: S3Server
}): Record<string, string> {
  const { bucket, region, endpoint, accessKeyId, secretAccessKey } = parts.s3.options
  return {
    HOST: '127.0.0.1',
    PUBLIC_URL: parts.address,
    TRUST_PROXY: '127.0.0.1',
    DEMO: 'off',
    ADMIN_EMAIL: clusterAdmin.email,
    ADMIN_PASSWORD: clusterAdmin.password,
    // A fixed secret is safe here, because only this machine can connect. A real deployment must generate one.
    SECRET: 'a-secret-for-a-cluster-on-loopback-only',
    DATABASE_URL: parts.database.app,
    DATABASE_OWNER_URL: parts.database.owner,
    ...(parts.standby && { DATABASE_REPLICA_URL: parts.database.app }),
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ENDPOINT: endpoint ?? '',
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    LOG_LEVEL: 'info',
  }
}
