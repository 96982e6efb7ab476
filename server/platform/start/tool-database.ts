// Opens the database for command-line tools with the owner's role: an external database, or the embedded one, which
// is started if no server runs.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { DatabaseAddresses } from '../db/app-rights.ts'
import { DatabaseStartError } from '../db/database-start-error.ts'
import { isDataFolderLocked } from '../embedded-postgres/data-folder-lock.ts'
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '../embedded-postgres/embedded-postgres.ts'
import type { Log } from '../process/log.ts'

export interface ToolDatabase extends DatabaseAddresses {
  /** Stops a database that was started for the tool. The database of a running server keeps running. */
  close: () => Promise<void>
}

/** Throws a DatabaseStartError if there is no database to open. */
export async function openToolDatabase(
  config: Pick<Config, 'databaseUrl' | 'databaseOwnerUrl' | 'dataDir'>,
  log: Log,
): Promise<ToolDatabase> {
  const { databaseUrl, databaseOwnerUrl, dataDir } = config
  if (databaseUrl) {
    return { app: databaseUrl, owner: databaseOwnerUrl ?? databaseUrl, close: async () => {} }
  }
  if (!existsSync(join(dataDir, 'postgres', 'data'))) {
    throw new DatabaseStartError(`There is no database in ${dataDir}: check DATA_DIR.`)
  }
  if (isDataFolderLocked(dataDir)) {
    return { ...(await findRunningPostgres(dataDir)), close: async () => {} }
  }
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  return { app: postgres.app, owner: postgres.owner, close: () => postgres.stop() }
}
