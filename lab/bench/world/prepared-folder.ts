// Prepares a data folder like that of a stopped server, with its embedded database.
import { join } from 'node:path'
import { prepareDatabase } from '#server/platform/db/app-rights.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import type { BenchWorld } from './bench-world.ts'
import { type DataSetName, fillDataSet } from './data-set.ts'

const log = { info() {}, warn: console.warn, error: console.error }

/** Returns the path. The folder is reused by later runs, and migrated if needed. */
export async function prepareFolder(world: BenchWorld, name: DataSetName): Promise<string> {
  const dataDir = join(world.folder, `prepared-${name}`)
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  try {
    await prepareDatabase(postgres, { log })
    await fillDataSet({ connectionString: postgres.owner, name, print: world.print })
  } finally {
    await postgres.stop()
  }
  return dataDir
}
