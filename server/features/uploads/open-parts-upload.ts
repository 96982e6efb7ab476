// Opens an upload in parts. The first request about parts creates the upload in the object storage, so a file that is
// sent as a whole never creates one.
import type { Config } from '../../platform/config/config.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { DiskWatch } from '../../platform/storage/disk-space.ts'
import type { PartialObject, Storage } from '../../platform/storage/storage.ts'
import { planParts, type PartPlan } from './part-plan.ts'
import type { UploadSenders } from './upload-senders.ts'

export interface PartServices {
  db: Database
  storage: Storage
  config: Pick<Config, 's3Upload'>
  disk: Pick<DiskWatch, 'refuseWhenFull'>
  senders: UploadSenders
  now: () => Date
}

/** An upload in parts that is open, not expired, exists in the object storage, and belongs to the signed-in person. */
export interface PartsUpload extends PartPlan {
  id: string
  expires_at: string
  object: PartialObject
}

/** Lifetime since the last request for URLs. Long enough to resume an interrupted upload on another day. */
const lifetimeMs = 48 * 3_600_000
const maxLifetimeMs = 7 * 24 * 3_600_000

/**
 * Throws `upload_not_found` (also for another person's upload), `upload_transport` (no size was announced),
 * `upload_used` or `upload_expired`. If the upload must be created in the object storage, also throws `upload_locked`
 * (a PUT is in progress) or `storage_full`.
 */
export async function openPartsUpload(
  services: PartServices,
  ctx: MemberContext,
  id: string,
): Promise<PartsUpload> {
  const row = await findOwnUpload(services.db, ctx, id)
  if (row.status !== 'open') throw new AppError('upload_used')
  if (new Date(row.expires_at) <= services.now()) throw new AppError('upload_expired')
  const { path: key, expires_at, byte_size, part_bytes, store_upload_id } = row
  if (byte_size === null) throw new AppError('upload_transport')
  if (store_upload_id !== null && part_bytes !== null) {
    return { id, byte_size, part_bytes, expires_at, object: { key, uploadId: store_upload_id } }
  }
  // The parts and the assembled file exist at the same time, so require twice the space.
  if (services.storage.parts.onDisk) await services.disk.refuseWhenFull(2 * byte_size)
  // If a PUT of the whole file starts after this, it is rejected at its end, because the row has changed.
  await services.senders.waitUntilFree(id)
  return transaction(services.db, (trx) => begin(services, ctx, trx, id))
}

/**
 * Creates the upload in the object storage. If two calls run concurrently, the second returns the upload that the first
 * created.
 */
async function begin(
  services: PartServices,
  ctx: MemberContext,
  trx: Transaction,
  id: string,
): Promise<PartsUpload> {
  const row = await findOwnUpload(trx, ctx, id, true)
  if (row.status !== 'open' || row.byte_size === null) throw new AppError('upload_used')
  const plan = row.part_bytes
    ? { byte_size: row.byte_size, part_bytes: row.part_bytes }
    : planParts(row.byte_size)
  const uploadId = row.store_upload_id ?? (await services.storage.parts.begin(row.path))
  const expires_at = computeExpiry(services.now(), row.created_at)
  await trx.query
    .updateTable('uploads')
    .set({ store_upload_id: uploadId, part_bytes: plan.part_bytes, expires_at })
    .where('id', '=', id)
    .execute()
  return { id, ...plan, expires_at, object: { key: row.path, uploadId } }
}

/** Extends the upload's expiry, but not on every request, to avoid a database write each time. */
export async function renewPartsUpload(services: PartServices, upload: PartsUpload): Promise<void> {
  const now = services.now()
  if (new Date(upload.expires_at).getTime() > now.getTime() + lifetimeMs * 0.9) return
  const { created_at } = await services.db.query
    .selectFrom('uploads')
    .select('created_at')
    .where('id', '=', upload.id)
    .executeTakeFirstOrThrow()
  await services.db.query
    .updateTable('uploads')
    .set({ expires_at: computeExpiry(now, created_at) })
    .where('id', '=', upload.id)
    .where('status', '=', 'open')
    .execute()
}

function computeExpiry(now: Date, created_at: string): string {
  const longest = new Date(created_at).getTime() + maxLifetimeMs
  return new Date(Math.min(now.getTime() + lifetimeMs, longest)).toISOString()
}

/** Reads an upload of the signed-in person. Throws `upload_not_found`. */
export async function findOwnUpload(
  handle: Database | Transaction,
  ctx: MemberContext,
  id: string,
  forUpdate = false,
) {
  const query = handle.query
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', id)
    .where('bucket', '<>', 'covers')
    .where('user_id', '=', ctx.actor.user_id)
  const row = await (forUpdate ? query.forUpdate() : query).executeTakeFirst()
  if (!row) throw new AppError('upload_not_found')
  return row
}
