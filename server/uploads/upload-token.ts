// The permission to bring one file. Only the hash of a token is kept; it binds bucket, path, mime and size, lives for
// an hour, and for as long as bytes arrive, but never longer than a day.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Bucket } from '#contract/uploads.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../http/app-error.ts'

/** An upload in the hands of whoever holds its token. */
export interface TokenUpload {
  id: string
  path: string
  bucket: Bucket
  /** Null as long as nobody has said how long the file is. */
  byte_size: number | null
  status: 'open' | 'complete' | 'used'
  expires_at: string
  /** Set when its parts go to an object store. */
  store_upload_id: string | null
}

interface TokenServices {
  db: Database
  now: () => Date
}

export const tokenHeader = 'upload-token'
export const tokenLifetimeMs = 3_600_000

export function newToken(): { uploadToken: string; token_hash: string } {
  const uploadToken = randomBytes(32).toString('base64url')
  return { uploadToken, token_hash: hashToken(uploadToken) }
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** The upload of this id and token. Throws `upload_token_invalid`, the same for an unknown id and a wrong token. */
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

/** The same, when it takes bytes now; its token lives on. Throws also `upload_used` and `upload_expired`. */
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
  // Not with every part: that would be a write for each.
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
