// Allows only one running Velour per data folder, by a file lock of the operating system. It is taken through SQLite,
// because Node has no flock. The lock is released however the process ends, and a reused pid can't be mistaken for
// its holder.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseStartError } from '../db/database-start-error.ts'

export interface DataFolderLock {
  release(): void
}

const SQLITE_BUSY = 5

/** Takes the lock, or throws a DatabaseStartError that names the process that holds it. */
export function lockDataFolder(dataDir: string): DataFolderLock {
  const pidFile = join(dataDir, 'velour.pid')
  // Other users may enter the folder but not list it. If Velour runs as root, the database runs as another user.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  const lock = new DatabaseSync(join(dataDir, 'velour.lock'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    throw new DatabaseStartError(
      `Another Velour${findLockHolder(pidFile)} is already using the data folder ${dataDir}. ` +
        'Stop it first, or choose another folder with DATA_DIR.',
    )
  }
  writeFileSync(pidFile, `${process.pid}\n`)
  return { release: () => lock.close() }
}

/** Writes the address of the running server to a file, for the error message of a second start. */
export function writeAddress(dataDir: string, address: string): void {
  writeFileSync(join(dataDir, 'velour.pid'), `${process.pid}\n${address}\n`)
}

/** Throws a DatabaseStartError if a running Velour uses this data folder. Creates nothing. */
export function refuseLockedFolder(dataDir: string): void {
  if (existsSync(join(dataDir, 'velour.lock'))) lockDataFolder(dataDir).release()
}

/** Whether a running Velour uses this data folder. */
export function isDataFolderLocked(dataDir: string): boolean {
  try {
    lockDataFolder(dataDir).release()
    return false
  } catch (error) {
    if (error instanceof DatabaseStartError) return true
    throw error
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

function findLockHolder(pidFile: string): string {
  try {
    const [pid, address] = readFileSync(pidFile, 'utf8').trim().split('\n')
    return address ? ` (process ${pid}, at ${address})` : ` (process ${pid})`
  } catch {
    // The process that holds the lock has just taken it and not written its pid yet.
    return ''
  }
}
