// A data folder as a server leaves it that was stopped, with its own database in it.
import { join } from 'node:path'
import { prepareDatabase } from '#server/db/app-rights.ts'
import { startEmbeddedPostgres } from '#server/db/embedded-postgres.ts'
import type { BenchWorld } from './bench-world.ts'
import { type DataSetName, fillDataSet } from './data-set.ts'

const log = { info() {}, warn: console.warn, error: console.error }

/** Gives its path. It is kept from one run to the next, and brought up to date. */
export async function prepareFolder(world: BenchWorld, name: DataSetName): Promise<string> {
  const dataDir = join(world.folder, `prepared-${name}`)
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  try {
    await prepareDatabase(postgres, { log })
    await fillDataSet({ connectionString: postgres.owner, name, say: world.say })
  } finally {
    await postgres.stop()
  }
  return dataDir
}
