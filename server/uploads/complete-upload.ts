// The moment when a file is whole: it is measured, moved to its storage key, and its upload marked, all or nothing.
// Until it is used, the row of the upload answers for the object: whoever removes the row discards the key.
import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { transaction, type Database } from '../db/database.ts'
import { AppError } from '../http/app-error.ts'
import { hashFile } from '../storage/hash-file.ts'
import { reserveKeys } from '../storage/storage-garbage.ts'
import type { Storage } from '../storage/storage.ts'
import type { TokenUpload } from './upload-token.ts'

/** As long as a finished file waits to be used. */
const completeLifetimeHours = 24

interface CompleteServices {
  db: Database
  storage: Storage
}

/**
 * Takes a finished local file, which is gone afterwards. Of two that finish at once, one wins; the other throws
 * `upload_used`. Throws `upload_incomplete` for a file of another size than the one announced, or an empty one.
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
  const isMarked = await markComplete(
    services,
    { ...upload, byte_size: size },
    {
      sha256,
      place: () => services.storage.putFile(upload.path, file, { byteSize: size }),
    },
  )
  if (!isMarked) throw new AppError('upload_used')
}

/** False when it is not open any more. `place` brings the object to its key, where it is not there yet. */
export async function markComplete(
  services: Pick<CompleteServices, 'db'>,
  upload: Pick<TokenUpload, 'id' | 'path'> & { byte_size: number },
  { sha256, place }: { sha256: string; place?: () => Promise<unknown> },
): Promise<boolean> {
  return transaction(services.db, async (trx) => {
    const open = await trx.query
      .selectFrom('uploads')
      .select('id')
      .where('id', '=', upload.id)
      .where('status', '=', 'open')
      .forUpdate()
      .executeTakeFirst()
    if (!open) return false
    // An hour longer than the row, so that the sweep never takes the object of an upload that can still be used.
    await reserveKeys(trx, [upload.path], completeLifetimeHours + 1)
    // The way to a distant store takes its time, and meanwhile nobody else may place the same key: as long as a request
    // may take to bring the file. An instance that is gone does not hold the row for ever.
    if (place) await sql`set local idle_in_transaction_session_timeout = '1h'`.execute(trx.query)
    await place?.()
    // By the clock of whoever sweeps: it was acknowledged, so a wrong clock here must not shorten its life.
    const expires_at = sql<string>`now() + make_interval(hours => ${completeLifetimeHours})`
    await trx.query
      .updateTable('uploads')
      .set({ status: 'complete', sha256, byte_size: upload.byte_size, expires_at })
      .where('id', '=', upload.id)
      .execute()
    return true
  })
}
