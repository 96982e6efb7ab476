// The token that permits the upload of one file. It is bound to bucket, path, MIME type and size. It expires after an
// hour; requests extend it to at most a day. Only its hash is stored.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Bucket } from '#contract/uploads.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'

/** The fields of an upload that code with its token may read. */
export interface TokenUpload {
  id: string
  path: string
  bucket: Bucket
  /** Null if no size was announced. */
  byte_size: number | null
  status: 'open' | 'complete' | 'used'
  expires_at: string
  /** The id of the multipart upload in the storage. Set when the upload is started in parts. */
  store_upload_id: string | null
}

interface TokenServices {
  db: Database
  now: () => Date
}

export const tokenHeader = 'upload-token'
export const tokenLifetimeMs = 3_600_000

export function createUploadToken(): { uploadToken: string; token_hash: string } {
  const uploadToken = randomBytes(32).toString('base64url')
  return { uploadToken, token_hash: hashToken(uploadToken) }
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Finds an upload by id and token. Throws `upload_token_invalid` both for an unknown id and for a wrong token. */
export async function findByToken(
  { db }: TokenServices,
  id: string,
  token: string | string[] | undefined,
): Promise<TokenUpload> {
  const row =
    typeof token === 'string'
      ? await db.query
          .selectFrom('uploads')
          .select(['id', 'path', 'bucket', 'byte_size', 'status', 'expires_at', 'store_upload_id'])
          .where('id', '=', id)
          .where('token_hash', '=', hashToken(token))
          .executeTakeFirst()
      : undefined
  if (!row) throw new AppError('upload_token_invalid')
  return row
}

/**
 * Like findByToken(), but the upload must still accept bytes, and the token's expiry is extended. Also throws
 * `upload_used` and `upload_expired`.
 */
export async function authorizeUpload(
  services: TokenServices,
  id: string,
  token: string | string[] | undefined,
): Promise<TokenUpload> {
  const upload = await findByToken(services, id, token)
  if (upload.status !== 'open') throw new AppError('upload_used')
  if (new Date(upload.expires_at) <= services.now()) throw new AppError('upload_expired')
  return { ...upload, expires_at: await renew(services, upload) }
}

async function renew(services: TokenServices, upload: TokenUpload): Promise<string> {
  const now = services.now().getTime()
  // Extend the token only after half of its lifetime, to avoid a database write for every request.
  if (new Date(upload.expires_at).getTime() > now + tokenLifetimeMs / 2) return upload.expires_at
  const renewed = new Date(now + tokenLifetimeMs).toISOString()
  const row = await services.db.query
    .updateTable('uploads')
    .set({ expires_at: sql`least(${renewed}::timestamptz, created_at + interval '24 hours')` })
    .where('id', '=', upload.id)
    .returning('expires_at')
    .executeTakeFirst()
  return row?.expires_at ?? upload.expires_at
}
