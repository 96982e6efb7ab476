// Permission to bring one file, and what happens when its bytes are here. Only the hash of a token
// is kept; a token binds bucket, path, mime and size, and works for one file.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { uploadMaxBytes, type Bucket, type createSignedUpload } from '#contract/uploads.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../http/app-error.ts'
import type { MemberContext } from '../http/context.ts'
import { reserveKeys } from '../storage/storage-garbage.ts'
import type { Storage } from '../storage/storage.ts'

export interface UploadServices {
  db: Database
  storage: Storage
  config: Pick<Config, 'dataDir'>
  now: () => Date
}

/** An upload that takes bytes now. */
export interface OpenUpload {
  id: string
  path: string
  bucket: Bucket
  byte_size: number | null
}

const tokenLifetimeMs = 3_600_000
const audioExtensions = /\.(?:mp3|wav|wave|flac|m4a|m4b|mp4|aac|ogg|oga|opus|aif|aiff)$/i

/** Where bytes wait until they are whole. */
export function partialFolder(services: Pick<UploadServices, 'config'>): string {
  return join(services.config.dataDir, 'uploads')
}

/** A path that takes one file of this kind and size, once. Throws `forbidden`, `payload_too_large`, `unsupported_*`. */
export async function createUpload(
  services: UploadServices,
  ctx: MemberContext,
  { body }: Pick<ParsedInput<typeof createSignedUpload>, 'body'>,
): Promise<Output<typeof createSignedUpload> & OpenUpload> {
  checkRequest(ctx, body)
  const uploadToken = randomBytes(32).toString('base64url')
  const id = randomUUID()
  const path = `uploads/${body.bucket}/${id}/${safeName(body.filename)}`
  const expires_at = new Date(services.now().getTime() + tokenLifetimeMs).toISOString()
  await services.db.query
    .insertInto('uploads')
    .values({
      id,
      user_id: ctx.actor.user_id,
      bucket: body.bucket,
      path,
      filename: body.filename,
      mime: body.mime,
      byte_size: body.size ?? null,
      token_hash: hashToken(uploadToken),
      expires_at,
    })
    .execute()
  return {
    id,
    path,
    bucket: body.bucket,
    byte_size: body.size ?? null,
    uploadToken,
    uploadUrl: `/api/uploads/${id}`,
    publicUrl: body.bucket === 'covers' ? `/media/covers/${id}/384.webp` : `/media/${path}`,
    expires_at,
  }
}

function checkRequest(
  ctx: MemberContext,
  { bucket, mime, filename, size }: ParsedInput<typeof createSignedUpload>['body'],
): void {
  if (bucket === 'covers') {
    if (!mime.startsWith('image/')) throw new AppError('unsupported_image')
  } else {
    if (ctx.actor.role !== 'admin') throw new AppError('forbidden')
    // Browsers name some sound files oddly; the pipeline looks into the file itself.
    if (!mime.startsWith('audio/') && !audioExtensions.test(filename)) {
      throw new AppError('unsupported_media')
    }
  }
  if (size !== undefined && size > uploadMaxBytes[bucket]) throw new AppError('payload_too_large')
}

/** `Tränen (Mix 2).WAV` → `tranen-mix-2.wav`: what every file system and storage key takes. */
export function safeName(filename: string): string {
  const extension = extname(filename)
    .toLowerCase()
    .replace(/[^a-z0-9.]/g, '')
    .slice(0, 10)
  const base = filename
    .slice(0, filename.length - extname(filename).length)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
  return `${base || 'file'}${extension.length > 1 ? extension : ''}`
}

/** Whose bytes these are. The same answer for an unknown id and a wrong token. */
export async function authorizeUpload(
  services: UploadServices,
  id: string,
  token: string | undefined,
): Promise<OpenUpload> {
  const row = token
    ? await services.db.query
        .selectFrom('uploads')
        .select(['id', 'path', 'bucket', 'byte_size', 'status', 'expires_at'])
        .where('id', '=', id)
        .where('token_hash', '=', hashToken(token))
        .executeTakeFirst()
    : undefined
  if (!row) throw new AppError('upload_token_invalid')
  if (row.status !== 'open') throw new AppError('upload_used')
  if (new Date(row.expires_at) <= services.now()) throw new AppError('upload_expired')
  await renewToken(services, id)
  return row
}

/** A token lives on while its bytes arrive, but never longer than a day. */
async function renewToken(services: UploadServices, id: string): Promise<void> {
  const now = services.now().getTime()
  const renewed = new Date(now + tokenLifetimeMs).toISOString()
  await services.db.query
    .updateTable('uploads')
    .set({ expires_at: sql`least(${renewed}::timestamptz, created_at + interval '24 hours')` })
    .where('id', '=', id)
    .where('expires_at', '<', new Date(now + tokenLifetimeMs / 2).toISOString())
    .execute()
}

/** The upload whose last part has just arrived; its token was checked when the part began. */
export async function findOpenUpload(services: UploadServices, id: string): Promise<OpenUpload> {
  const row = await services.db.query
    .selectFrom('uploads')
    .select(['id', 'path', 'bucket', 'byte_size'])
    .where('id', '=', id)
    .where('status', '=', 'open')
    .executeTakeFirst()
  if (!row) throw new AppError('upload_used')
  return row
}

/** Takes a whole file at once. What is too long or too short leaves nothing behind. */
export async function receiveUpload(
  services: UploadServices,
  upload: OpenUpload,
  body: Readable,
): Promise<void> {
  await mkdir(partialFolder(services), { recursive: true })
  const partial = join(
    partialFolder(services),
    `${upload.id}.${randomBytes(6).toString('hex')}.put`,
  )
  try {
    await pipeline(body, atMost(upload), createWriteStream(partial, { flush: true }))
    await completeUpload(services, upload, partial)
  } finally {
    await rm(partial, { force: true })
  }
}

function atMost({ bucket, byte_size }: OpenUpload): Transform {
  const limit = byte_size ?? uploadMaxBytes[bucket]
  let received = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      done(received > limit ? new AppError('payload_too_large') : null, chunk)
    },
  })
}

/**
 * Puts a finished local file at its storage key and marks the upload complete. Of two that finish at
 * once, one wins; the other throws `upload_used`.
 */
export async function completeUpload(
  services: UploadServices,
  upload: OpenUpload,
  file: string,
): Promise<void> {
  const { size } = await stat(file)
  if (size === 0 || (upload.byte_size !== null && size !== upload.byte_size)) {
    throw new AppError('upload_incomplete')
  }
  const sha256 = await hashFile(file)
  await services.db.query.transaction().execute(async (query) => {
    const claimed = await query
      .updateTable('uploads')
      .set({ status: 'complete', sha256, byte_size: size })
      .where('id', '=', upload.id)
      .where('status', '=', 'open')
      .returning('id')
      .executeTakeFirst()
    if (!claimed) throw new AppError('upload_used')
    // Listed on a connection of its own: the listing must outlive a kill before this commit.
    await reserveKeys(services.db, [upload.path])
    await services.storage.putFile(upload.path, file, { byteSize: size })
  })
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex')
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
