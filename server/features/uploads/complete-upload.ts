// Completes an upload in one transaction: hashes the file, moves it to its storage key and marks the upload complete.
// Until an upload is used, its object belongs to its row: code that deletes the row also discards the object.
import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { transaction, type Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { hashFile } from '../../platform/storage/hash-file.ts'
import { reserveKeys } from '../../platform/storage/storage-garbage.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { TokenUpload } from './upload-token.ts'

/** How long a complete upload may stay unused before it is deleted. */
const completeLifetimeHours = 24

interface CompleteServices {
  db: Database
  storage: Storage
}

/**
 * Moves a finished local file into storage. If two calls for one upload run concurrently, one succeeds and the other
 * throws `upload_used`. Throws `upload_incomplete` if the file is empty or its size differs from the announced size.
 */
export async function completeUpload(
  services: CompleteServices,
  upload: Pick<TokenUpload, 'id' | 'path' | 'byte_size'>,
  file: string,
): Promise<void> {
  const { size } = await stat(file)
  if (size === 0 || (upload.byte_size !== null && size !== upload.byte_size)) {
    throw new AppError('upload_incomplete')
  }
  const sha256 = await hashFile(file)
  const row = { ...upload, byte_size: size, store_upload_id: null }
  const isMarked = await markComplete(services, row, async () => {
    await services.storage.putFile(upload.path, file, { byteSize: size })
    return sha256
  })
  if (!isMarked) throw new AppError('upload_used')
}

/**
 * Marks an upload complete. Returns false if it is no longer open, or if it was started in parts and `store_upload_id`
 * is null. `place` moves the object to its key and returns its SHA-256. The row stays locked while `place` runs.
 */
export async function markComplete(
  services: Pick<CompleteServices, 'db'>,
  upload: Pick<TokenUpload, 'id' | 'path' | 'store_upload_id'> & { byte_size: number },
  place: () => Promise<string>,
): Promise<boolean> {
  return transaction(services.db, async (trx) => {
    const open = await trx.query
      .selectFrom('uploads')
      .select('id')
      .where('id', '=', upload.id)
      .where('status', '=', 'open')
      .where('store_upload_id', 'is not distinct from', upload.store_upload_id)
      .forUpdate()
      .executeTakeFirst()
    if (!open) return false
    // One hour longer than the row's lifetime, so that the storage sweep never deletes the object of a usable upload.
    await reserveKeys(trx, [upload.path], completeLifetimeHours + 1)
    // Writing to a remote storage is slow, and the lock must prevent other writes of this key in the meantime. Allow as
    // much time as a request may take to send the file. If the instance crashes, the timeout releases the row.
    await sql`set local idle_in_transaction_session_timeout = '1h'`.execute(trx.query)
    const sha256 = await place()
    // Use the database's clock, as the sweep of expired uploads does: a wrong local clock must not shorten the lifetime
    // of an upload that the client knows to be complete.
    const expires_at = sql<string>`now() + make_interval(hours => ${completeLifetimeHours})`
    await trx.query
      .updateTable('uploads')
      .set({ status: 'complete', sha256, byte_size: upload.byte_size, expires_at })
      .where('id', '=', upload.id)
      .execute()
    return true
  })
}
