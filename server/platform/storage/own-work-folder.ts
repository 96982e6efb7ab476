// The folder for a process's unfinished files. Several processes may share a data folder, so each has a folder of its
// own and removes only those of dead processes.
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { hasCode } from './disk-files.ts'

/**
 * Age at which other folders are removed: those from another machine or from a version without process folders. It is
 * unknown whether their process still runs.
 */
const abandonedAfterMs = 24 * 3_600_000

/**
 * Returns the name of this process's folder below `folder`. Removes the folders of dead processes, including that of
 * an earlier process with the same pid.
 */
export async function claimWorkFolder(folder: string): Promise<string> {
  const host = hostname().replace(/[^\w-]/g, '-')
  const own = `${host}.${process.pid}`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(`${host}.`) ? Number(name.slice(host.length + 1)) : null
    const path = join(folder, name)
    const isLeft = pid === null ? await isAbandoned(path) : name === own || !isAlive(pid)
    if (isLeft) await rm(path, { recursive: true, force: true })
  }
  return own
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    return hasCode(error, 'EPERM')
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  })
  return found !== null && found.mtimeMs < Date.now() - abandonedAfterMs
}
