// Uploads in parts: lists parts, signs URLs for missing ones, receives single parts, and completes the upload. All
// state is in the database and the storage, so any instance can handle any request.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/upload-parts.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import {
  isStorageError,
  type ObjectPart,
  type Storage,
  type StoredPart,
} from '../../platform/storage/storage.ts'
import { markComplete } from './complete-upload.ts'
import {
  findOwnUpload,
  openPartsUpload,
  renewPartsUpload,
  type PartServices,
  type PartsUpload,
} from './open-parts-upload.ts'
import { countParts, partByteSize, type PartPlan } from './part-plan.ts'
import { receiveBytes } from './receive-bytes.ts'
import { deleteUnusedUpload } from './sweep-uploads.ts'

/** Enough time to send a few parts on a slow connection. Slower clients request new URLs. */
const urlLifetimeSeconds = 1800
const hashPieceBytes = 4 * 1024 ** 2

/** Lists the parts that the storage has. Throws the errors of openPartsUpload. */
export async function listUploadParts(
  services: PartServices,
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.listUploadParts>,
): Promise<Output<typeof contract.listUploadParts>> {
  const upload = await openPartsUpload(services, ctx, params.id)
  const found = await findParts(services, upload)
  const { byte_size, part_bytes, expires_at } = upload
  const data = found.map(({ number, byteSize }) => ({ number, byte_size: byteSize }))
  return { byte_size, part_bytes, data, expires_at }
}

/**
 * Lists the parts of an upload. If it was completed in the storage, but a crash prevented the update of its row, all
 * parts count as sent.
 */
async function findParts({ storage }: PartServices, upload: PartsUpload): Promise<ObjectPart[]> {
  const listed = await nullIfGone(storage.parts.list(upload.object))
  if (listed) return listed.filter((part) => isWhole(upload, part))
  if (!(await storage.stat(upload.object.key))) throw new AppError('upload_expired')
  return listAllParts(upload)
}

function listAllParts(plan: PartPlan): ObjectPart[] {
  return Array.from({ length: countParts(plan) }, (_, index) => ({
    number: index + 1,
    byteSize: partByteSize(plan, index + 1)!,
  }))
}

function isWhole(plan: PartPlan, { number, byteSize }: ObjectPart): boolean {
  return partByteSize(plan, number) === byteSize
}

/**
 * Returns URLs to which the client sends parts. Throws the errors of openPartsUpload, and `invalid_input` for a part
 * number beyond the file.
 */
export async function signUploadParts(
  services: PartServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.signUploadParts>,
): Promise<Output<typeof contract.signUploadParts>> {
  const upload = await openPartsUpload(services, ctx, params.id)
  const requested = body.numbers.map((number) => requirePart(upload, number, 'invalid_input'))
  await renewPartsUpload(services, upload)
  const { storage, config } = services
  const isProxied = config.s3Upload === 'proxy' || body.through_server === true
  const addressOf = async (part: ObjectPart) =>
    (isProxied ? null : await storage.parts.signedUrl(upload.object, part, urlLifetimeSeconds)) ??
    `/api/uploads/${upload.id}/parts/${part.number}`
  const data = await Promise.all(
    requested.map(async (part) => ({
      number: part.number,
      byte_size: part.byteSize,
      url: await addressOf(part),
    })),
  )
  const endsAt = services.now().getTime() + urlLifetimeSeconds * 1000
  return { data, expires_at: new Date(endsAt).toISOString() }
}

function requirePart(
  upload: PartsUpload,
  number: number,
  refusal: 'invalid_input' | 'not_found',
): ObjectPart {
  const byteSize = partByteSize(upload, number)
  if (byteSize === null) throw new AppError(refusal)
  return { number, byteSize }
}

/**
 * Stores one part that the client sends to this server. Only one client may send a part at a time. Throws the errors of
 * openPartsUpload, `not_found` for a part number beyond the file, `payload_too_large` or `upload_incomplete` for a part
 * of the wrong length, `upload_locked`, `storage_full`.
 */
export async function sendUploadPart(
  services: PartServices,
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.sendUploadPart>,
  sender: { body: Readable; announced: number | null; cut: () => void },
): Promise<void> {
  const upload = await openPartsUpload(services, ctx, params.id)
  const part = requirePart(upload, params.number, 'not_found')
  const announced = sender.announced ?? part.byteSize
  if (announced > part.byteSize) throw new AppError('payload_too_large')
  if (announced < part.byteSize) throw new AppError('upload_incomplete')
  const { parts } = services.storage
  const refuseWhenFull = async (byteSize = 0) => {
    if (parts.onDisk) await services.disk.refuseWhenFull(byteSize)
  }
  await refuseWhenFull(part.byteSize)
  const turn = await services.senders.take(`${upload.id}/${part.number}`, sender.cut)
  const bytes = receiveBytes(sender.body, part.byteSize, async () => {
    turn.noteBytes()
    await refuseWhenFull()
  })
  try {
    await parts.put(upload.object, part, Readable.from(bytes, { objectMode: false }))
  } catch (cause) {
    if (isStorageError(cause, 'not_found')) throw new AppError('upload_expired', { cause })
    if (isStorageError(cause, 'wrong_size')) throw new AppError('upload_incomplete', { cause })
    throw cause
  } finally {
    turn.end()
  }
}

/**
 * Assembles the parts and verifies the object. Afterwards, the upload is used like any other. An object that differs
 * from the announced file is deleted. The row lock serializes concurrent calls: the second finds the upload complete.
 * Throws `upload_not_found`, `upload_transport`, `upload_expired`, `upload_incomplete`, `upload_damaged`,
 * `storage_full`.
 */
export async function completeUploadParts(
  services: PartServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.completeUploadParts>,
): Promise<void> {
  const { status } = await findOwnUpload(services.db, ctx, params.id)
  // Already complete: the client may have missed the first response, so a repeated request succeeds.
  if (status !== 'open') return
  const upload = await openPartsUpload(services, ctx, params.id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'upload_used') return null
    throw error
  })
  if (!upload) return
  const { key, uploadId } = upload.object
  const row = { ...upload, path: key, store_upload_id: uploadId }
  try {
    const isMarked = await markComplete(services, row, () =>
      assembleParts(services, upload, body.sha256),
    )
    if (!isMarked) await findOwnUpload(services.db, ctx, params.id)
  } catch (error) {
    const isDamaged = error instanceof AppError && error.code === 'upload_damaged'
    if (isDamaged) await deleteUnusedUpload(services.db, upload.id)
    throw error
  }
}

/** Assembles the parts in the storage. Returns the SHA-256 of the object. */
async function assembleParts(
  services: PartServices,
  upload: PartsUpload,
  expected: string | undefined,
): Promise<string> {
  const { storage, disk } = services
  const listed = await nullIfGone(storage.parts.list(upload.object))
  // If the storage has no list of parts, the object was assembled before a crash, or the storage has deleted the parts.
  if (listed) {
    const whole = new Map<number, StoredPart>(
      listed.filter((part) => isWhole(upload, part)).map((part) => [part.number, part]),
    )
    if (whole.size < countParts(upload)) throw new AppError('upload_incomplete')
    if (storage.parts.onDisk) await disk.refuseWhenFull(upload.byte_size)
    await nullIfGone(completeOrReject(storage, upload, [...whole.values()]))
  }
  const object = await storage.stat(upload.object.key)
  if (!object) throw new AppError('upload_expired')
  if (object.byteSize !== upload.byte_size) throw new AppError('upload_damaged')
  const sha256 = await hashObject(storage, upload.object.key)
  if (expected !== undefined && expected !== sha256) throw new AppError('upload_damaged')
  return sha256
}

async function completeOrReject(
  { parts }: Storage,
  { object }: PartsUpload,
  chosen: readonly StoredPart[],
): Promise<void> {
  try {
    await parts.complete(object, chosen)
  } catch (cause) {
    // A part was replaced while the parts were assembled.
    if (isStorageError(cause, 'wrong_parts')) throw new AppError('upload_incomplete', { cause })
    throw cause
  }
}

/** Returns null if the upload no longer exists in the storage, because it was completed or aborted. */
async function nullIfGone<T>(ask: Promise<T>): Promise<T | null> {
  try {
    return await ask
  } catch (error) {
    if (isStorageError(error, 'not_found')) return null
    throw error
  }
}

async function hashObject(storage: Storage, key: string): Promise<string> {
  const hash = createHash('sha256')
  const object = await storage.open(key)
  const piece = Buffer.alloc(Math.min(hashPieceBytes, object.byteSize))
  try {
    for (let at = 0; at < object.byteSize; at += piece.length) {
      const count = await object.read(piece, at)
      hash.update(piece.subarray(0, count))
    }
    return hash.digest('hex')
  } finally {
    await object.close()
  }
}
