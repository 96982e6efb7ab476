// Deletes expired uploads with their files and parts, and the rows of uploads that were used long ago.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeleteQueryBuilder, DeleteResult } from 'kysely'
import { transaction, type Database } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { discardKeys } from '../../platform/storage/storage-garbage.ts'
import { nullIfMissing } from '../../platform/storage/disk-files.ts'
import type { UploadServices } from './upload-operations.ts'

/** Grace period for a request body that started to arrive just before its upload expired. */
const graceMs = 3_600_000

/** Deletes expired uploads. Can run at any time and on any instance. */
export async function sweepUploads(
  { db, config }: Pick<UploadServices, 'db' | 'config'>,
  now: Date,
): Promise<void> {
  await deleteExpired(db, now.getTime())
  await removeTusFiles(join(config.dataDir, 'uploads'))
}

/**
 * Deletes the unfinished files of version 0.1, whose uploads must start over. Keeps the folder itself, because it may
 * be a mount point.
 */
async function removeTusFiles(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(nullIfMissing)) ?? []
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true })
}

/** Deletes an upload that its owner canceled or that cannot be used. */
export async function deleteUnusedUpload(db: Database, id: string): Promise<void> {
  await deleteUploads(db, (uploads) => uploads.where('id', '=', id).where('status', '!=', 'used'))
}

async function deleteExpired(db: Database, now: number): Promise<void> {
  const before = new Date(now - graceMs).toISOString()
  await deleteUploads(db, (uploads) => uploads.where('expires_at', '<', before))
}

type Uploads = DeleteQueryBuilder<Tables, 'uploads', DeleteResult>

/** Deletes rows and objects of uploads together: until an upload is used, its object belongs to its row. */
async function deleteUploads(db: Database, choose: (uploads: Uploads) => Uploads): Promise<void> {
  await transaction(db, async (trx) => {
    const deletedRows = await choose(trx.query.deleteFrom('uploads'))
      .returning(['path', 'status'])
      .execute()
    const unused = deletedRows.filter(({ status }) => status !== 'used')
    await discardKeys(
      trx,
      unused.map(({ path }) => path),
    )
  })
}
