// Deletes expired uploads with their partial bytes, and rows of uploads used long ago.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeleteQueryBuilder, DeleteResult } from 'kysely'
import { transaction, type Database } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { discardKeys } from '../../platform/storage/storage-garbage.ts'
import { hasCode } from '../../platform/storage/disk-files.ts'
import type { UploadServices } from './upload-operations.ts'
import { partialFolder } from './upload-parts.ts'

/** Grace period for a part that started just before its token expired. */
const graceMs = 3_600_000

/** Safe at any time, on any instance. */
export async function sweepUploads(services: UploadServices, now: Date): Promise<void> {
  await forgetExpired(services.db, now.getTime())
  await removePartials(services, now.getTime())
}

/** Deletes an upload that its owner aborted or that is unusable. */
export async function forgetUpload(db: Database, id: string): Promise<void> {
  await forget(db, (uploads) => uploads.where('id', '=', id).where('status', '!=', 'used'))
}

async function forgetExpired(db: Database, now: number): Promise<void> {
  const before = new Date(now - graceMs).toISOString()
  await forget(db, (uploads) => uploads.where('expires_at', '<', before))
}

type Uploads = DeleteQueryBuilder<Tables, 'uploads', DeleteResult>

/** Until an upload is used, its row owns the object at its path: both are deleted together. */
async function forget(db: Database, choose: (uploads: Uploads) => Uploads): Promise<void> {
  await transaction(db, async (trx) => {
    const gone = await choose(trx.query.deleteFrom('uploads'))
      .returning(['path', 'status'])
      .execute()
    const unused = gone.filter(({ status }) => status !== 'used')
    await discardKeys(
      trx,
      unused.map(({ path }) => path),
    )
  })
}

/** Deletes partial files that belong to no open upload. */
async function removePartials(services: UploadServices, now: number): Promise<void> {
  const folder = partialFolder(services)
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  })
  if (names.length === 0) return
  const rows = await services.db.query
    .selectFrom('uploads')
    .select('id')
    .where('status', '=', 'open')
    .execute()
  const open = new Set(rows.map(({ id }) => id))
  for (const name of names.filter((candidate) => !open.has(candidate))) {
    const path = join(folder, name)
    const found = await stat(path).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return null
      throw error
    })
    // Files that are just being moved into storage are left alone.
    if (found && found.mtimeMs < now - graceMs) await rm(path, { force: true })
  }
}
