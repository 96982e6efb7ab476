// Marks the data folder with a file during a restore. The server refuses to start while it exists, because the data is
// incomplete after an interrupted restore.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../platform/config/read-setting.ts'

const getMarkerPath = (dataDir: string) => join(dataDir, 'restore-not-finished')

export async function markUnfinishedRestore(dataDir: string, backup: string): Promise<void> {
  await writeFile(getMarkerPath(dataDir), `${backup}\n`, { mode: 0o600, flush: true })
}

export async function unmarkUnfinishedRestore(dataDir: string): Promise<void> {
  await rm(getMarkerPath(dataDir), { force: true })
}

/** Throws a ConfigError if a restore was interrupted and not repeated. */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  const backup = await readFile(getMarkerPath(dataDir), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
      throw error
    },
  )
  if (backup === null) return
  throw new ConfigError(
    `The restore of ${backup.trim()} into ${dataDir} was not completed: run "npm run restore -- ${backup.trim()}" again, ` +
      'or choose another folder with DATA_DIR.',
  )
}
