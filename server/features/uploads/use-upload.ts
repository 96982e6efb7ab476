// Uses a finished upload in another operation. An upload can be used once, by the person who uploaded it.
import type { Bucket } from '#contract/uploads.ts'
import type { Handle, Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'

export interface OwnedUpload {
  path: string
  bucket: Bucket
  userId: string
}

export interface FinishedUpload {
  id: string
  storageKey: string
  filename: string
  mime: string
  byteSize: number
  sha256: string
}

/**
 * Reads a finished upload without using it. Throws `upload_not_found` (also for another person's upload),
 * `upload_incomplete`, `upload_used`.
 */
export async function findCompleteUpload(
  handle: Handle,
  owned: OwnedUpload,
): Promise<FinishedUpload> {
  const row = await handle.query
    .selectFrom('uploads')
    .selectAll()
    .where('path', '=', owned.path)
    .where('bucket', '=', owned.bucket)
    .where('user_id', '=', owned.userId)
    .executeTakeFirst()
  if (!row) throw new AppError('upload_not_found')
  if (row.status === 'used') throw new AppError('upload_used')
  if (row.status === 'open' || !row.byte_size || !row.sha256)
    throw new AppError('upload_incomplete')
  return {
    id: row.id,
    storageKey: row.path,
    filename: row.filename,
    mime: row.mime,
    byteSize: row.byte_size,
    sha256: row.sha256,
  }
}

/** Locks the upload, so that it stays complete until the transaction ends. Throws the errors of findCompleteUpload. */
export async function lockCompleteUpload(trx: Transaction, owned: OwnedUpload): Promise<void> {
  const { id } = await findCompleteUpload(trx, owned)
  const held = await trx.query
    .selectFrom('uploads')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'complete')
    .forShare()
    .executeTakeFirst()
  if (!held) throw new AppError('upload_used')
}

/**
 * Permanently marks the upload as used. The caller assigns or discards its storage key in the same transaction. If two
 * calls run concurrently, one throws `upload_used`. Throws the errors of findCompleteUpload.
 */
export async function useUpload(trx: Transaction, owned: OwnedUpload): Promise<FinishedUpload> {
  const upload = await findCompleteUpload(trx, owned)
  const used = await trx.query
    .updateTable('uploads')
    .set({ status: 'used' })
    .where('id', '=', upload.id)
    .where('status', '=', 'complete')
    .returning('id')
    .executeTakeFirst()
  if (!used) throw new AppError('upload_used')
  return upload
}
