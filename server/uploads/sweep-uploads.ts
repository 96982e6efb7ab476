// Forgets uploads that came to nothing, with the bytes that wait for them, and those long used.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeleteQueryBuilder, DeleteResult } from 'kysely'
import { transaction, type Database } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { discardKeys } from '../storage/storage-garbage.ts'
import { hasCode } from '../storage/disk-files.ts'
import type { UploadServices } from './upload-operations.ts'
import { partialFolder } from './upload-parts.ts'

/** A part that began in the last moment of its token may go on for so long. */
const graceMs = 3_600_000

/** Safe at any time, on any instance. */
export async function sweepUploads(services: UploadServices, now: Date): Promise<void> {
  await forgetExpired(services.db, now.getTime())
  await removePartials(services, now.getTime())
}

/** Forgets an upload that its owner gave up, or that is of no use. */
export async function forgetUpload(db: Database, id: string): Promise<void> {
  await forget(db, (uploads) => uploads.where('id', '=', id).where('status', '!=', 'used'))
}

async function forgetExpired(db: Database, now: number): Promise<void> {
  const before = new Date(now - graceMs).toISOString()
  await forget(db, (uploads) => uploads.where('expires_at', '<', before))
}

type Uploads = DeleteQueryBuilder<Tables, 'uploads', DeleteResult>

/** The row of an upload that was not used answers for the object at its path: both go together. */
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

/** Parts belong to an open upload, or to nobody. */
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
    // What is being moved to its place at this moment is left alone.
    if (found && found.mtimeMs < now - graceMs) await rm(path, { force: true })
  }
}
