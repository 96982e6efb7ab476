// Prepares a data folder with an embedded database, like the folder of a server that was stopped.
import { join } from 'node:path'
import { prepareDatabase } from '#server/platform/db/app-rights.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import type { BenchWorld } from './bench-world.ts'
import { type DataSetName, fillDataSet } from './data-set.ts'

const log = { info() {}, warn: console.warn, error: console.error }

/** Returns the path of the folder. Later runs use it again, and migrate its database if needed. */
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
