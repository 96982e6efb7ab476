// Compares the installation ids of database and storage. If they don't match, every track would return 404 and its
// jobs would fail, so the server refuses to start.
import { sql } from 'kysely'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/read-setting.ts'
import { transaction, type Database, type Transaction } from '../db/database.ts'
import type { Log } from '../process/log.ts'
import type { Storage } from './storage.ts'

type MarkedStorage = Pick<Storage, 'readInstallationId' | 'stat' | 'list'>
type StorageConfig = Pick<Config, 's3' | 'dataDir' | 'acceptNewStorage'>

const sampleSize = 20

/**
 * Writes the database's installation id to a storage without one, at the first start or after the files were copied to
 * another storage. Throws a ConfigError if the storage belongs to another installation.
 */
export async function matchStorage(
  { db, storage, log }: { db: Database; storage: Storage; log: Log },
  config: StorageConfig,
): Promise<void> {
  await transaction(db, async (trx) => {
    const { id, storage_marked_at } = await trx.query
      .selectFrom('installation')
      .select(['id', 'storage_marked_at'])
      .forUpdate()
      .executeTakeFirstOrThrow()
    const { isMarked, problem } = await compare(trx, storage, { id, storage_marked_at })
    if (!isMarked) {
      if (problem !== null && !config.acceptNewStorage)
        throw new ConfigError(refusal(config, problem))
      if (problem !== null)
        log.warn({ problem }, 'ACCEPT_NEW_STORAGE: the storage is accepted as it is')
      await storage.writeInstallationId(id)
    }
    if (storage_marked_at === null) {
      await trx.query
        .updateTable('installation')
        .set('storage_marked_at', sql<string>`now()`)
        .execute()
    }
  })
}

/** Throws a ConfigError for a storage of another installation. Changes nothing. */
export async function checkStorageMatch(
  { db, storage }: { db: Database; storage: MarkedStorage },
  config: StorageConfig,
): Promise<void> {
  await transaction(db, async (trx) => {
    const row = await trx.query
      .selectFrom('installation')
      .select(['id', 'storage_marked_at'])
      .executeTakeFirstOrThrow()
    const { problem } = await compare(trx, storage, row)
    if (problem !== null) throw new ConfigError(refusal(config, problem))
  })
}

async function compare(
  trx: Transaction,
  storage: MarkedStorage,
  { id, storage_marked_at }: { id: string; storage_marked_at: string | null },
): Promise<{ isMarked: boolean; problem: string | null }> {
  const mark = (await storage.readInstallationId())?.trim() ?? null
  if (mark === id) return { isMarked: true, problem: null }
  const wasMarked = storage_marked_at !== null
  return { isMarked: false, problem: await findProblem(trx, storage, { mark, wasMarked }) }
}

async function findProblem(
  trx: Transaction,
  storage: MarkedStorage,
  { mark, wasMarked }: { mark: string | null; wasMarked: boolean },
): Promise<string | null> {
  if (mark !== null) return 'it belongs to another installation'
  const sample = await readSample(trx)
  const stats = await Promise.all(sample.map((key) => storage.stat(key)))
  const found = stats.filter((stat) => stat !== null).length
  // If the database was never matched with a storage, some files may be missing. Otherwise this may be a copy of its
  // storage, which must have all of them.
  if (sample.length > 0) {
    const isCopy = wasMarked ? found === sample.length : found > 0
    return isCopy ? null : `it has ${found} of ${sample.length} files that the database refers to`
  }
  if (wasMarked) return 'the database was used with another one'
  if ((await isFresh(trx)) && (await hasObjects(storage))) {
    return 'it holds files, and the database is empty'
  }
  return null
}

async function readSample(trx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from (
      select source_key as key from tracks where source_key is not null
       union all select storage_key from renditions
    ) files order by random() limit ${sampleSize}`.execute(trx.query)
  return rows.map(({ key }) => key)
}

async function isFresh(trx: Transaction): Promise<boolean> {
  return !(await trx.query.selectFrom('profiles').select('id').limit(1).executeTakeFirst())
}

async function hasObjects(storage: MarkedStorage): Promise<boolean> {
  for await (const _key of storage.list('')) return true
  return false
}

function refusal({ s3, dataDir }: StorageConfig, problem: string): string {
  const where = s3
    ? `The bucket ${s3.bucket} of S3_BUCKET`
    : `The folder ${dataDir}/storage of DATA_DIR`
  const advice = s3
    ? 'check S3_BUCKET, S3_ENDPOINT and DATABASE_URL'
    : 'check DATA_DIR (is its volume mounted?) and DATABASE_URL, and give instances on several machines one S3_BUCKET'
  return (
    `${where} does not belong to this database (${problem}): ${advice}; ` +
    'after an interrupted restore, empty both and restore again; if the pair is correct anyway, start once with ACCEPT_NEW_STORAGE=on.'
  )
}
