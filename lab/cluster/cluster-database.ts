// PostgreSQL as a primary and a synchronous standby, with the programs that Velour includes. Every acknowledged write
// is on both servers. A promotion deletes the data folder of the former primary, which must never accept writes again.
import { createHmac } from 'node:crypto'
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostgresBinaries } from '#server/platform/embedded-postgres/postgres-binaries.ts'
import {
  ensureCluster,
  ensurePrivateFolder,
} from '#server/platform/embedded-postgres/postgres-cluster.ts'
import {
  choosePostgresUser,
  buildCommandAs,
} from '#server/platform/embedded-postgres/postgres-user.ts'
import { withClient } from '#server/platform/db/with-client.ts'
import { type ClusterProcess, createClusterProcess } from './cluster-process.ts'

export interface ClusterDatabase {
  /** The server that currently accepts writes. */
  readonly primary: ClusterProcess
  /** The server that replicates the primary. A commit is acknowledged only after the standby has it, too. */
  readonly standby: ClusterProcess
  /** Connection strings that name both servers, for DATABASE_URL and DATABASE_OWNER_URL. */
  app: string
  owner: string
  /** Returns a connection string for one server, as the superuser. */
  superuser: (server: ClusterProcess) => string
  start: () => Promise<void>
  /** Kills the primary if it is running, and makes the standby the new primary, which then has no standby. */
  promote: () => Promise<void>
  /** Copies the primary's data to the stopped server, and starts that server as the standby. */
  rejoin: () => Promise<void>
  stop: () => Promise<void>
}

type Name = 'database_1' | 'database_2'

const settings = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  shared_buffers: '64MB',
  io_method: 'sync',
  jit: 'off',
  wal_level: 'replica',
  max_wal_senders: '8',
  // Log to keep, so that a standby can catch up after it was down for a while.
  wal_keep_size: '512MB',
  max_wal_size: '512MB',
  hot_standby: 'on',
  // How long a query on the standby may delay replication.
  max_standby_streaming_delay: '5s',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
}
const streamingTimeoutMs = 30_000
const streamingPollMs = 50
// Files that are not copied: they belong to the running server, or to the recovery of another backup.
const notCopied = new Set(['postmaster.pid', 'postmaster.opts', 'backup_label', 'tablespace_map'])

/** Creates what is missing in `folder`. Starts no server. */
export async function createClusterDatabase(options: {
  folder: string
  logs: string
  ports: [number, number]
  withStandby: boolean
}): Promise<ClusterDatabase> {
  const { folder, logs, ports, withStandby } = options
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const binaries = await findPostgresBinaries(folder)
  const user = choosePostgresUser(folder, binaries.postgres)
  const port: Record<Name, number> = { database_1: ports[0], database_2: ports[1] }
  const dataOf = (name: Name) => join(folder, name, 'data')
  const otherOf = (name: Name): Name => (name === 'database_1' ? 'database_2' : 'database_1')
  const isStandby = (name: Name) => existsSync(join(dataOf(name), 'standby.signal'))
  let primaryName: Name =
    existsSync(dataOf('database_2')) && !isStandby('database_2') ? 'database_2' : 'database_1'
  const made = join(folder, primaryName)
  ensurePrivateFolder(made, user)
  const { password } = await ensureCluster({ folder: made, binaries, user, durable: true })
  const role = (name: string) => createHmac('sha256', password).update(name).digest('hex')

  const servers = {
    database_1: createServer('database_1'),
    database_2: createServer('database_2'),
  }
  function createServer(name: Name): ClusterProcess {
    const upstream =
      `host=127.0.0.1 port=${port[otherOf(name)]} user=postgres password=${password} ` +
      `application_name=${name}`
    return createClusterProcess({
      name: name.replace('_', '-'),
      port: port[name],
      logFile: join(logs, `${name.replace('_', '-')}.log`),
      stopSignal: 'SIGINT',
      command() {
        rmSync(join(dataOf(name), 'postmaster.pid'), { force: true })
        const all = { ...settings, port: port[name], primary_conninfo: upstream }
        const args = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])
        const given = buildCommandAs(user, binaries.postgres, ['-D', dataOf(name), ...args])
        return { program: given.program, args: given.args, env: binaries.env, ...given.options }
      },
      isReady: () => isAccepting(addressOf(name)),
    })
  }
  const addressOf = (name: Name, database = 'postgres') =>
    `postgres://postgres:${password}@127.0.0.1:${port[name]}/${database}`

  /** Copies the primary with a base backup through SQL, because the package doesn't include pg_basebackup. */
  async function copyPrimary(to: Name): Promise<void> {
    const target = dataOf(to)
    rmSync(join(folder, to), { recursive: true, force: true })
    mkdirSync(join(folder, to), { recursive: true })
    await withClient(connectionTo(addressOf(primaryName)), async (client) => {
      await client.query(`select pg_backup_start('copy', fast => true)`)
      copyFolder(dataOf(primaryName), target)
      const { rows } = await client.query<{ labelfile: string }>('select * from pg_backup_stop()')
      writeFileSync(join(target, 'backup_label'), rows[0]!.labelfile)
    })
    writeFileSync(join(target, 'standby.signal'), '')
    writeFileSync(join(target, '..', 'password'), `${password}\n`, { mode: 0o600 })
    if (user) chownAll(join(folder, to), user.uid, user.gid)
  }

  /** Sets the standby that commits wait for. With null, they wait for no other server. */
  async function waitFor(follower: Name | null): Promise<void> {
    await withClient(connectionTo(addressOf(primaryName)), async (client) => {
      await client.query(`alter system set synchronous_standby_names = '${follower ?? ''}'`)
      await client.query('select pg_reload_conf()')
    })
  }

  async function follow(): Promise<void> {
    const name = otherOf(primaryName)
    await servers[name].start()
    await untilStreaming(addressOf(primaryName), name)
    await waitFor(name)
  }

  const both = (user: string, secret: string) =>
    `postgres://${user}:${secret}@127.0.0.1:${ports[0]}` +
    `${withStandby ? `,127.0.0.1:${ports[1]}` : ''}/velour`
  return {
    get primary() {
      return servers[primaryName]
    },
    get standby() {
      return servers[otherOf(primaryName)]
    },
    app: both('velour_app', role('velour_app')),
    owner: both('velour', role('velour')),
    superuser: (server) =>
      addressOf(server === servers.database_1 ? 'database_1' : 'database_2', 'velour'),
    async start() {
      await servers[primaryName].start()
      // The setting of the last run would make commits wait for a standby that isn't running yet.
      await waitFor(null)
      await makeDatabase(addressOf(primaryName), role)
      if (!withStandby) return
      const name = otherOf(primaryName)
      if (!existsSync(dataOf(name))) await copyPrimary(name)
      await follow()
    },
    async promote() {
      await servers[primaryName].kill()
      rmSync(dataOf(primaryName), { recursive: true })
      const name = otherOf(primaryName)
      await withClient(connectionTo(addressOf(name)), (client) =>
        client.query('select pg_promote()'),
      )
      primaryName = name
    },
    async rejoin() {
      const name = otherOf(primaryName)
      if (servers[name].isRunning) return
      await waitFor(null)
      await copyPrimary(name)
      await follow()
    },
    async stop() {
      await servers[primaryName].stop()
      await servers[otherOf(primaryName)].stop()
    },
  }
}

const connectionTo = (address: string) => ({
  connectionString: address,
  connectionTimeoutMillis: 2_000,
})

async function isAccepting(address: string): Promise<boolean> {
  try {
    await withClient(connectionTo(address), (client) => client.query('select 1'))
    return true
  } catch {
    // The server doesn't accept connections yet, or is still in recovery.
    return false
  }
}

async function makeDatabase(address: string, secretOf: (role: string) => string): Promise<void> {
  await withClient(connectionTo(address), async (client) => {
    const { rows } = await client.query(`select from pg_database where datname = 'velour'`)
    if (rows.length > 0) return
    await client.query(`create role velour login createdb password '${secretOf('velour')}'`)
    await client.query(
      `create role velour_app login password '${secretOf('velour_app')}' role velour`,
    )
    await client.query('create database velour owner velour')
  })
}

async function untilStreaming(address: string, follower: string): Promise<void> {
  const giveUpAt = Date.now() + streamingTimeoutMs
  await withClient(connectionTo(address), async (client) => {
    for (;;) {
      const { rows } = await client.query(
        `select from pg_stat_replication where application_name = $1 and state = 'streaming'`,
        [follower],
      )
      if (rows.length > 0) return
      if (Date.now() > giveUpAt) throw new Error(`${follower} does not follow the primary`)
      await sleep(streamingPollMs)
    }
  })
}

/** Copies a folder in which files appear and disappear meanwhile. The write-ahead log repairs the copy later. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (notCopied.has(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyFolder(source, target)
    else if (entry.isFile() && !source.includes('/pg_wal/')) copyFile(source, target)
  }
}

function copyFile(source: string, target: string): void {
  try {
    copyFileSync(source, target)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

function chownAll(folder: string, uid: number, gid: number): void {
  chownSync(folder, uid, gid)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chownSync(join(entry.parentPath, entry.name), uid, gid)
  }
}
