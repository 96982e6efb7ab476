// Checks that run before anything is created, so that a start that fails here leaves nothing behind.
import { once } from 'node:events'
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import { refuseLockedFolder } from '../embedded-postgres/data-folder-lock.ts'

/** Throws the same error as listening would, or an error if a running Velour uses the data folder. */
export async function checkPort(
  config: Pick<Config, 'host' | 'port' | 'dataDir' | 'databaseUrl'>,
): Promise<void> {
  const { host, port } = config
  if (port === 0) return
  const probe = createServer()
  probe.listen({ host, port })
  try {
    await once(probe, 'listening')
  } catch (error) {
    if (config.databaseUrl === null) refuseLockedFolder(config.dataDir)
    throw error
  }
  probe.close()
  await once(probe, 'close')
}

/**
 * Creates the folder if it is missing. Creates one level at a time, because Node's recursive mkdir never returns
 * below /proc.
 */
export function makeDataFolder(dataDir: string): void {
  const missing: string[] = []
  for (let path = dataDir; !existsSync(path) && path !== dirname(path); path = dirname(path)) {
    missing.unshift(path)
  }
  for (const path of missing) mkdirSync(path)
  // With the trailing slash, a file causes ENOTDIR.
  accessSync(`${dataDir}/`, constants.R_OK | constants.W_OK | constants.X_OK)
}
