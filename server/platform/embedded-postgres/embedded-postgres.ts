// Starts, restarts and stops the embedded database: one PostgreSQL per data folder. If Velour is killed, the database
// keeps running and the next Velour adopts it. If the database exits, Velour restarts it. Both shut down together.
import { createHmac } from 'node:crypto'
import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../process/log.ts'
import type pg from 'pg'
import { lockDataFolder } from './data-folder-lock.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { DatabaseStartError } from '../db/database-start-error.ts'
import { ensureCluster, ensurePrivateFolder, readPassword } from './postgres-cluster.ts'
import { postgresPort } from './postgres-settings.ts'
import { choosePostgresUser } from './postgres-user.ts'
import {
  findPostmaster,
  launchPostmaster,
  type LaunchOptions,
  type Postmaster,
  stopPostmaster,
} from './postmaster.ts'
import { makeSocketFolder, removeSocketFolder } from './socket-folder.ts'
import { withClient } from '../db/with-client.ts'

export interface EmbeddedPostgres {
  /** Connection URL of a role that owns the database `velour` and may create others. It is not a superuser. */
  owner: string
  /** Connection URL of the running server's role, which owns nothing in the database. */
  app: string
  /** True if the database was left running by a killed Velour. */
  adopted: boolean
  /** Shuts the database down cleanly and releases the lock of the data folder. Close all connections first. */
  stop(): Promise<void>
}

const firstRestartDelayMs = 200
const longestRestartDelayMs = 10_000

/**
 * Starts or adopts the database in `<dataDir>/postgres`, creating it on the first run. Throws a DatabaseStartError with
 * a short message for problems that the owner can fix. `durable: false` is for tests only.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: Log
  durable?: boolean
}): Promise<EmbeddedPostgres> {
  const { dataDir, log, durable = true } = options
  const lock = lockDataFolder(dataDir)
  try {
    const folder = join(realpathSync(dataDir), 'postgres')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const binaries = await findPostgresBinaries(folder)
    const user = choosePostgresUser(folder, binaries.postgres)
    ensurePrivateFolder(folder, user)
    const cluster = await ensureCluster({ folder, binaries, user, durable })
    const launchOptions = { folder, binaries, user, durable, dataFolder: cluster.dataFolder }
    const found = await findReachable(cluster.dataFolder, cluster.password, log)
    const socketFolder = found?.socketFolder ?? (await makeSocketFolder(folder, user))
    const launch: LaunchOptions = { ...launchOptions, socketFolder }
    const postmaster = found ?? (await launchPostmaster(launch))
    await ensureDatabase(socketFolder, cluster.password)
    const supervision = supervise(postmaster, launch, log)
    return {
      ...buildAddresses(socketFolder, cluster.password),
      adopted: found !== null,
      async stop() {
        await supervision.stop()
        await removeSocketFolder(socketFolder)
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Returns the connection URLs of the database that is running on this folder. Throws a DatabaseStartError if there is
 * none.
 */
export async function findRunningPostgres(
  dataDir: string,
): Promise<Pick<EmbeddedPostgres, 'owner' | 'app'>> {
  const folder = join(realpathSync(dataDir), 'postgres')
  const postmaster = await findPostmaster(join(folder, 'data'))
  if (!postmaster) throw new DatabaseStartError(`The database in ${dataDir} is not running.`)
  return buildAddresses(postmaster.socketFolder, readPassword(folder))
}

function buildAddresses(socketFolder: string, password: string) {
  return {
    owner: connectionStringFor('velour', 'velour', socketFolder, password),
    app: connectionStringFor('velour_app', 'velour', socketFolder, deriveAppPassword(password)),
  }
}

/** Returns the running server of this folder, or null. A server that does not accept connections is stopped. */
async function findReachable(dataFolder: string, password: string, log: Log) {
  const postmaster = await findPostmaster(dataFolder)
  if (!postmaster) return null
  try {
    await withSuperuser(postmaster.socketFolder, password, (client) => client.query('select 1'))
    return postmaster
  } catch (error) {
    log.warn({ err: error }, 'The running database cannot be reached; restarting it')
    await stopPostmaster(postmaster)
    return null
  }
}

function supervise(first: Postmaster, launch: LaunchOptions, log: Log) {
  let current = first
  const stopping = new AbortController()
  const watching = watch()
  async function watch(): Promise<void> {
    let delayMs = firstRestartDelayMs
    for (;;) {
      await Promise.race([current.exited, aborted(stopping.signal)])
      if (stopping.signal.aborted) return
      log.error('The database ended unexpectedly; restarting it')
      delayMs = firstRestartDelayMs
      while (!stopping.signal.aborted) {
        await sleep(delayMs, undefined, { ref: false })
        try {
          current = await launchPostmaster(launch)
          log.info('The database is back')
          break
        } catch (error) {
          log.error({ err: error }, 'Restarting the database failed; retrying')
          delayMs = Math.min(delayMs * 2, longestRestartDelayMs)
        }
      }
    }
  }
  return {
    async stop() {
      stopping.abort()
      await watching
      await stopPostmaster(current)
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/**
 * Creates the database and its roles. Velour connects as an ordinary role that owns nothing, so that an SQL injection
 * can't reach the machine's files or the triggers of the tables. The owner is a member of that role, so that it can
 * transfer objects to it.
 */
async function ensureDatabase(socketFolder: string, password: string): Promise<void> {
  await withSuperuser(socketFolder, password, async (client) => {
    const { rows } = await client.query(
      `select exists (select from pg_roles where rolname = 'velour') as has_role,
              exists (select from pg_roles where rolname = 'velour_app') as has_app_role,
              exists (select from pg_database where datname = 'velour') as has_database`,
    )
    if (!rows[0].has_role) {
      await client.query(`create role velour login createdb password '${password}'`)
    }
    if (!rows[0].has_app_role) {
      await client.query(
        `create role velour_app login password '${deriveAppPassword(password)}' role velour`,
      )
    }
    if (!rows[0].has_database) await client.query('create database velour owner velour')
  })
}

/**
 * Derives the app role's password with a one-way function, so that only one password is stored and the app's password
 * does not reveal it.
 */
function deriveAppPassword(password: string): string {
  return createHmac('sha256', password).update('velour_app').digest('hex')
}

function withSuperuser<T>(
  socketFolder: string,
  password: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const connectionString = connectionStringFor('postgres', 'postgres', socketFolder, password)
  return withClient({ connectionString, connectionTimeoutMillis: 10_000 }, work)
}

function connectionStringFor(
  role: string,
  database: string,
  socketFolder: string,
  password: string,
): string {
  const host = encodeURIComponent(socketFolder)
  return `postgresql://${role}:${password}@localhost:${postgresPort}/${database}?host=${host}`
}
