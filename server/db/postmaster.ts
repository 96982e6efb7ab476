// One running PostgreSQL server process: started by us, or found alive on the data folder and adopted.
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
import { DatabaseStartError } from './database-start-error.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { postgresArguments } from './postgres-settings.ts'
import { commandAs, type PostgresUser } from './postgres-user.ts'

export interface Postmaster {
  pid: number
  socketFolder: string
  /** Settles when the process is gone, whatever ended it. */
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
// Recovery of a crashed database can take as long as writing max_wal_size did.
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
  const postgresArgs = postgresArguments(dataFolder, socketFolder, options.durable)
  const { program, args, options: identity } = commandAs(user, binaries.postgres, postgresArgs)
  const child = spawn(program, args, {
    ...identity,
    cwd: '/',
    env: binaries.env,
    stdio: ['ignore', log, log],
    // Its own session: Ctrl+C in the terminal must not reach it, we stop it after our own work is done.
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
    `PostgreSQL did not start: ${readLogTail(logFile, logStart) || 'it said nothing'}`,
    { cause: failure },
  )
}

/** The server that already runs on this data folder, if any. Call it only while holding the folder's lock. */
export async function findPostmaster(dataFolder: string): Promise<Postmaster | null> {
  const noted = readPidFile(dataFolder)
  if (!noted || !runsOn(noted.pid, dataFolder)) return null
  const exited = pollUntilGone(noted.pid, dataFolder)
  if (!(await waitUntilReady(dataFolder, noted.pid, exited))) return null
  return { pid: noted.pid, socketFolder: readPidFile(dataFolder)!.socketFolder, exited }
}

/** Fast shutdown: open transactions are rolled back, everything is written, then the process ends. */
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
 * A killed server leaves its number in two files, and by now that may be another process's, which PostgreSQL would
 * take for a rival. Should processes of the old server still be about, it notices by their shared memory.
 */
async function removeStaleFiles(dataFolder: string, socketFolder: string): Promise<void> {
  const noted = readPidFile(dataFolder)
  if (noted && runsOn(noted.pid, dataFolder)) return
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

/** For a server that is not our child. */
async function pollUntilGone(pid: number, dataFolder: string): Promise<void> {
  while (runsOn(pid, dataFolder)) await sleep(adoptedPollMs, undefined, { ref: false })
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
 * True when the process is a PostgreSQL server on this data folder. It works inside that folder, also after the
 * folder was renamed; one that has ended but was never reaped still has its number, and works nowhere.
 */
function runsOn(pid: number, dataFolder: string): boolean {
  if (!isAlive(pid)) return false
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === dataFolder
    const command = execFileSync('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)])
    return command.toString().includes(` -D ${dataFolder} -`)
  } catch {
    // Gone meanwhile, or another user's process: not a server of ours.
    return false
  }
}

/** Keeps one older log; returns the size of the log that the next start appends to. */
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
