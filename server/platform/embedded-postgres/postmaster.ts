// One running PostgreSQL server process: started by us, or found running on the data folder and adopted.
import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseStartError } from '../db/database-start-error.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { buildPostgresArguments } from './postgres-settings.ts'
import { buildCommandAs, type PostgresUser } from './postgres-user.ts'

export interface Postmaster {
  pid: number
  socketFolder: string
  /** Resolves when the process has ended, for any reason. */
  exited: Promise<void>
}

export interface LaunchOptions {
  folder: string
  dataFolder: string
  socketFolder: string
  binaries: PostgresBinaries
  user: PostgresUser
  durable: boolean
}

const pollMs = 10
const adoptedPollMs = 100
// Recovery after a crash can take as long as writing max_wal_size took.
const readyTimeoutMs = 300_000
const stopTimeoutMs = 60_000
const logSizeLimit = 5_000_000

/** Starts the server and returns once it accepts connections. */
export async function launchPostmaster(options: LaunchOptions): Promise<Postmaster> {
  const { binaries, user, dataFolder, socketFolder } = options
  await removeStaleFiles(dataFolder, socketFolder)
  const logFile = join(options.folder, 'postgres.log')
  const logStart = rotateLog(logFile)
  const log = openSync(logFile, 'a', 0o600)
  const postgresArgs = buildPostgresArguments(dataFolder, socketFolder, options.durable)
  const { program, args, options: identity } = buildCommandAs(user, binaries.postgres, postgresArgs)
  const child = spawn(program, args, {
    ...identity,
    cwd: '/',
    env: binaries.env,
    stdio: ['ignore', log, log],
    // Runs in a separate session, so that Ctrl+C in the terminal does not end it before Velour has shut down.
    detached: true,
  })
  closeSync(log)
  let failure: Error | null = null
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      failure = error
      resolve()
    })
  })
  child.unref()
  if (child.pid && (await waitUntilReady(dataFolder, child.pid, exited))) {
    return { pid: child.pid, socketFolder, exited }
  }
  throw new DatabaseStartError(
    `PostgreSQL did not start: ${readLogTail(logFile, logStart) || 'it logged nothing'}`,
    { cause: failure },
  )
}

/**
 * Returns the server that is already running on this data folder, or null. Call it only while holding the folder's
 * lock.
 */
export async function findPostmaster(dataFolder: string): Promise<Postmaster | null> {
  const noted = readPidFile(dataFolder)
  if (!noted || !isServerOn(noted.pid, dataFolder)) return null
  const exited = pollUntilGone(noted.pid, dataFolder)
  if (!(await waitUntilReady(dataFolder, noted.pid, exited))) return null
  return { pid: noted.pid, socketFolder: readPidFile(dataFolder)!.socketFolder, exited }
}

/** Fast shutdown: rolls back open transactions, flushes everything, then ends the process. */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!isAlive(postmaster.pid)) return
    process.kill(postmaster.pid, signal)
    const timeout = new AbortController()
    const gone = await Promise.race([
      postmaster.exited.then(() => true),
      sleep(stopTimeoutMs, false, { signal: timeout.signal }),
    ])
    timeout.abort()
    if (gone) return
  }
}

/**
 * Removes the pid files of a killed server. Another process may have that pid now, and PostgreSQL would take it for a
 * running server. Remaining processes of the old server are still detected by their shared memory.
 */
async function removeStaleFiles(dataFolder: string, socketFolder: string): Promise<void> {
  const noted = readPidFile(dataFolder)
  if (noted && isServerOn(noted.pid, dataFolder)) return
  await rm(join(dataFolder, 'postmaster.pid'), { force: true })
  for (const name of readdirSync(socketFolder)) await rm(join(socketFolder, name))
}

interface PidFile {
  pid: number
  socketFolder: string
  status: string
}

function readPidFile(dataFolder: string): PidFile | null {
  try {
    const lines = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')
    return {
      pid: Number(lines[0]),
      socketFolder: lines[4] ?? '',
      status: lines[7]?.trim() ?? '',
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function waitUntilReady(dataFolder: string, pid: number, exited: Promise<void>) {
  let gone = false
  void exited.then(() => (gone = true))
  const deadline = Date.now() + readyTimeoutMs
  while (!gone && Date.now() < deadline) {
    const noted = readPidFile(dataFolder)
    if (noted?.pid === pid && noted.status === 'ready') return true
    await Promise.race([sleep(pollMs), exited])
  }
  return false
}

/** Waits for a server that is not our child process. */
async function pollUntilGone(pid: number, dataFolder: string): Promise<void> {
  while (isServerOn(pid, dataFolder)) await sleep(adoptedPollMs, undefined, { ref: false })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Whether the process is a PostgreSQL server on this data folder. Compares its working directory, which stays correct
 * if the folder is renamed. A zombie process still has its pid but no working directory.
 */
function isServerOn(pid: number, dataFolder: string): boolean {
  if (!isAlive(pid)) return false
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === dataFolder
    const command = execFileSync('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)])
    return command.toString().includes(` -D ${dataFolder} -`)
  } catch {
    // The process has ended, or belongs to another user. In both cases it is not our server.
    return false
  }
}

/** Renames a long log and keeps one older file. Returns the size of the log to which the next start appends. */
function rotateLog(logFile: string): number {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size <= logSizeLimit) return size
  renameSync(logFile, `${logFile}.1`)
  return 0
}

function readLogTail(logFile: string, start: number): string {
  const lines = readFileSync(logFile).subarray(start).toString().trim().split('\n')
  return lines.slice(-5).join(' · ')
}
