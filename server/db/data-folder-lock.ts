// One living Velour per data folder. The lock belongs to the kernel (a file lock, taken through SQLite because
// Node has no flock of its own), so it ends with the process however that dies and pid reuse cannot fake it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseStartError } from './database-start-error.ts'

export interface DataFolderLock {
  release(): void
}

const SQLITE_BUSY = 5

/** Takes the lock or throws a DatabaseStartError that names the process holding it. */
export function lockDataFolder(dataDir: string): DataFolderLock {
  const pidFile = join(dataDir, 'velour.pid')
  // Others may pass through (the database runs as another user when Velour is root) but not list.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  const lock = new DatabaseSync(join(dataDir, 'velour.lock'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    throw new DatabaseStartError(
      `Another Velour${holderOf(pidFile)} is already using the data folder ${dataDir}. ` +
        'Stop it first, or choose another folder with DATA_DIR.',
    )
  }
  writeFileSync(pidFile, `${process.pid}\n`)
  return { release: () => lock.close() }
}

/** The holder of the lock writes the address that it answers at, for the error message of a second start. */
export function noteAddress(dataDir: string, address: string): void {
  writeFileSync(join(dataDir, 'velour.pid'), `${process.pid}\n${address}\n`)
}

/** Throws a DatabaseStartError when a living Velour uses this data folder; makes nothing. */
export function refuseLockedFolder(dataDir: string): void {
  if (existsSync(join(dataDir, 'velour.lock'))) lockDataFolder(dataDir).release()
}

/** Whether a living Velour uses this data folder. */
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

function holderOf(pidFile: string): string {
  try {
    const [pid, address] = readFileSync(pidFile, 'utf8').trim().split('\n')
    return address ? ` (process ${pid}, at ${address})` : ` (process ${pid})`
  } catch {
    // The holder took the lock this instant and has not written its number yet.
    return ''
  }
}
