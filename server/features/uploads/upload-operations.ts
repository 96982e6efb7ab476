// Creates uploads, and receives files that are sent as a whole.
import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { grantsAccess } from '#contract/access.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { evidenceMimes } from '#contract/fields/evidence.ts'
import {
  looksLikeArchive,
  looksLikeAudio,
  uploadAccess,
  uploadMaxBytes,
  type createSignedUpload,
} from '#contract/uploads.ts'
import type { Config } from '../../platform/config/config.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { DiskWatch } from '../../platform/storage/disk-space.ts'
import { completeUpload } from './complete-upload.ts'
import { receiveBytes } from './receive-bytes.ts'
import { createUploadToken, tokenLifetimeMs, type TokenUpload } from './upload-token.ts'

export interface UploadServices {
  db: Database
  storage: Storage
  config: Pick<Config, 'dataDir' | 's3Upload'>
  disk: Pick<DiskWatch, 'refuseWhenFull'>
  now: () => Date
}

/**
 * Maximum number of pending or unused uploads per person and role: covers for members, tracks for creators, a batch of
 * files for editors.
 */
const maxWaitingUploads = { member: 30, creator: 200, editor: 5000, admin: 5000 }

/**
 * Returns a URL that accepts one file of the requested type and size, once. Throws `file_empty`, `forbidden`,
 * `payload_too_large`, `unsupported_media`, `unsupported_image`, `unsupported_evidence`, `rate_limited`,
 * `storage_full`.
 */
export async function createUpload(
  services: UploadServices,
  ctx: MemberContext,
  { body }: Pick<ParsedInput<typeof createSignedUpload>, 'body'>,
): Promise<Output<typeof createSignedUpload> & Pick<TokenUpload, 'bucket' | 'byte_size'>> {
  checkRequest(ctx, body)
  await services.disk.refuseWhenFull(body.size)
  const { uploadToken, token_hash } = createUploadToken()
  const id = randomUUID()
  const filename = cleanFilename(body.filename)
  const path = `uploads/${body.bucket}/${id}/${toSafeName(filename)}`
  const expires_at = new Date(services.now().getTime() + tokenLifetimeMs).toISOString()
  const { bucket, mime, size: byte_size = null } = body
  const expiresAt = await transaction(services.db, async (trx) => {
    await limitUnusedUploads(services, ctx, trx)
    const row = await trx.query
      .insertInto('uploads')
      .values({
        id,
        user_id: ctx.actor.user_id,
        bucket,
        path,
        filename,
        mime,
        byte_size,
        token_hash,
        // Use the later of both clocks: expiry is checked by the database's clock, and if this server's clock is
        // behind, the upload must not expire early.
        expires_at: sql`greatest(${expires_at}::timestamptz, now() + make_interval(secs => ${tokenLifetimeMs / 1000}))`,
      })
      .returning('expires_at')
      .executeTakeFirstOrThrow()
    return row.expires_at
  })
  return {
    id,
    path,
    bucket,
    byte_size,
    uploadToken,
    uploadUrl: `/api/uploads/${id}`,
    transport: bucket !== 'covers' && byte_size !== null ? 'parts' : null,
    publicUrl: bucket === 'covers' ? `/media/covers/${id}/384.webp` : `/media/${path}`,
    expires_at: expiresAt,
  }
}

/** Checks the MIME type that the browser sent. The bytes are checked when the file is used. */
const isEvidenceMime = (mime: string) => (evidenceMimes as readonly string[]).includes(mime)

function checkRequest(
  ctx: MemberContext,
  { bucket, mime, filename, size }: ParsedInput<typeof createSignedUpload>['body'],
): void {
  if (size === 0) throw new AppError('file_empty')
  if (bucket === 'covers') {
    if (!mime.startsWith('image/')) throw new AppError('unsupported_image')
  } else {
    if (!grantsAccess(ctx.actor.role, uploadAccess[bucket])) throw new AppError('forbidden')
    if (bucket === 'evidence' && !isEvidenceMime(mime)) throw new AppError('unsupported_evidence')
    if (bucket === 'archives' && !looksLikeArchive(filename, mime))
      throw new AppError('unsupported_archive')
    if (bucket === 'audio' && !looksLikeAudio(filename, mime))
      throw new AppError('unsupported_media')
  }
  if (size !== undefined && size > uploadMaxBytes[bucket]) throw new AppError('payload_too_large')
}

/**
 * Limits a person's unused files, so that nobody can fill the disk. The row lock serializes concurrent requests of one
 * person.
 */
async function limitUnusedUploads(
  services: UploadServices,
  ctx: MemberContext,
  trx: Transaction,
): Promise<void> {
  await trx.query
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', ctx.actor.user_id)
    .forNoKeyUpdate()
    .execute()
  const { waiting } = await trx.query
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('user_id', '=', ctx.actor.user_id)
    .where('status', '!=', 'used')
    .where('expires_at', '>', services.now().toISOString())
    .executeTakeFirstOrThrow()
  if (waiting >= maxWaitingUploads[ctx.actor.role]) {
    throw new AppError('rate_limited', { headers: { 'retry-after': '600' } })
  }
}

/** Returns the base name of a path, without control characters. */
function cleanFilename(filename: string): string {
  const name = filename.split(/[/\\]/).at(-1) ?? ''
  return (
    name
      .toWellFormed()
      .replace(/\p{Cc}/gu, '')
      .trim() || 'file'
  )
}

/**
 * Converts a file name to one that is safe for every file system and storage key: `Tränen (Mix 2).WAV` →
 * `tranen-mix-2.wav`.
 */
export function toSafeName(filename: string): string {
  const extension = extname(filename)
  const base = toAscii(filename.slice(0, filename.length - extension.length), '-').slice(0, 80)
  const suffix = toAscii(extension.slice(1), '').slice(0, 10)
  return (base.replace(/^-+|-+$/g, '') || 'file') + (suffix && `.${suffix}`)
}

function toAscii(text: string, filler: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return letters.replace(/[^a-z0-9]+/g, filler)
}

/**
 * Streams a whole file into storage. A file that is too long or too short is deleted. Throws `payload_too_large`,
 * `storage_full` and the errors of completeUpload.
 */
export async function receiveUpload(
  services: UploadServices,
  upload: Pick<TokenUpload, 'id' | 'path' | 'bucket' | 'byte_size'>,
  sender: { body: Readable; onBytes?: () => void },
): Promise<void> {
  await services.storage.withScratchFolder(async (folder) => {
    const path = join(folder, 'upload')
    const file = await open(path, 'wx', 0o600)
    const limit = upload.byte_size ?? uploadMaxBytes[upload.bucket]
    const bytes = receiveBytes(sender.body, limit, async () => {
      sender.onBytes?.()
      // Check the free space again: many concurrent uploads may each have had enough when they started.
      await services.disk.refuseWhenFull()
    })
    await pipeline(bytes, file.createWriteStream())
    await completeUpload(services, upload, path)
  })
}
