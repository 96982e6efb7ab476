// Multipart uploads to an object store: listing parts, URLs for missing ones, and completion. Instances keep no state
// of their own; it is in the rows and the store.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/upload-parts.ts'
import type { Config } from '../../platform/config/config.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import {
  isStorageError,
  type ObjectPart,
  type Storage,
  type StorageParts,
  type StoredPart,
} from '../../platform/storage/storage.ts'
import { markComplete } from './complete-upload.ts'
import { countParts, partByteSize, type PartPlan } from './part-plan.ts'
import {
  findOwnUpload,
  openStoreUpload,
  partsOf,
  renewStoreUpload,
  unlessGone,
  type StoreServices,
  type StoreUpload,
} from './store-upload.ts'
import { forgetUpload } from './sweep-uploads.ts'

export type PartServices = StoreServices & { config: Pick<Config, 's3Upload'> }

/** Enough time for a few parts on a slow connection; slower clients request new URLs. */
const addressLifetimeSeconds = 1800
const hashPieceBytes = 4 * 1024 ** 2

/** Throws what openStoreUpload throws. */
export async function listUploadParts(
  services: PartServices,
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.listUploadParts>,
): Promise<Output<typeof contract.listUploadParts>> {
  const upload = await openStoreUpload(services, ctx, params.id)
  const found = await findParts(services, upload)
  const { byte_size, part_bytes, expires_at } = upload
  const data = found.map(({ number, byteSize }) => ({ number, byte_size: byteSize }))
  return { byte_size, part_bytes, data, expires_at }
}

/** Also handles an upload that was completed in the store before a crash kept its row from being updated. */
async function findParts(services: PartServices, upload: StoreUpload): Promise<ObjectPart[]> {
  const listed = await unlessGone(upload.parts.list(upload.object))
  if (listed) return listed.filter((part) => isWhole(upload, part))
  if (!(await services.storage.stat(upload.object.key))) throw new AppError('upload_expired')
  return allParts(upload)
}

function allParts(plan: PartPlan): ObjectPart[] {
  return Array.from({ length: countParts(plan) }, (_, index) => ({
    number: index + 1,
    byteSize: partByteSize(plan, index + 1)!,
  }))
}

function isWhole(plan: PartPlan, { number, byteSize }: ObjectPart): boolean {
  return partByteSize(plan, number) === byteSize
}

/** Throws what openStoreUpload throws, and `invalid_input` for a part that the file does not have. */
export async function signUploadParts(
  services: PartServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.signUploadParts>,
): Promise<Output<typeof contract.signUploadParts>> {
  const upload = await openStoreUpload(services, ctx, params.id)
  const wanted = body.numbers.map((number) => partOf(upload, number, 'invalid_input'))
  await renewStoreUpload(services, upload)
  const isPassed = services.config.s3Upload === 'proxy' || body.through_server === true
  const addressOf = async (part: ObjectPart) =>
    isPassed
      ? `/api/uploads/${upload.id}/parts/${part.number}`
      : upload.parts.signedUrl(upload.object, part, addressLifetimeSeconds)
  const data = await Promise.all(
    wanted.map(async (part) => ({
      number: part.number,
      byte_size: part.byteSize,
      url: await addressOf(part),
    })),
  )
  const endsAt = services.now().getTime() + addressLifetimeSeconds * 1000
  return { data, expires_at: new Date(endsAt).toISOString() }
}

function partOf(
  upload: StoreUpload,
  number: number,
  refusal: 'invalid_input' | 'not_found',
): ObjectPart {
  const byteSize = partByteSize(upload, number)
  if (byteSize === null) throw new AppError(refusal)
  return { number, byteSize }
}

/**
 * Streams one part through to the store. Throws what openStoreUpload throws, `not_found` for a part that the file does
 * not have, and `payload_too_large` or `upload_incomplete` for a part of another length.
 */
export async function forwardPart(
  services: PartServices,
  ctx: MemberContext,
  { id, number }: { id: string; number: number },
  body: { stream: Readable; announced: number | null },
): Promise<void> {
  const upload = await openStoreUpload(services, ctx, id)
  const part = partOf(upload, number, 'not_found')
  const announced = body.announced ?? part.byteSize
  if (announced > part.byteSize) throw new AppError('payload_too_large')
  if (announced < part.byteSize) throw new AppError('upload_incomplete')
  try {
    await upload.parts.put(upload.object, part, body.stream)
  } catch (cause) {
    if (isStorageError(cause, 'not_found')) throw new AppError('upload_expired', { cause })
    if (isStorageError(cause, 'wrong_size')) throw new AppError('upload_incomplete', { cause })
    throw cause
  }
}

/**
 * Completes the upload in the store and verifies the object; after that it is an upload like any other. An object that
 * is not the announced file is deleted. Throws `upload_not_found`, `upload_transport`, `upload_expired`,
 * `upload_incomplete`, `upload_damaged`.
 */
export async function completeUploadParts(
  services: PartServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.completeUploadParts>,
): Promise<void> {
  partsOf(services.storage)
  const { status } = await findOwnUpload(services.db, ctx, params.id)
  // A client that missed the first response retries.
  if (status !== 'open') return
  const upload = await openStoreUpload(services, ctx, params.id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'upload_used') return null
    throw error
  })
  if (!upload) return
  const key = upload.object.key
  await putTogether(upload).catch(async (error: unknown) => {
    // A concurrent call may have completed it meanwhile, which removes the parts.
    if (!(await services.storage.stat(key))) throw error
  })
  const object = await services.storage.stat(key)
  // Nobody completed it: the store has deleted it.
  if (!object) throw new AppError('upload_expired')
  const sha256 =
    object.byteSize === upload.byte_size ? await hashObject(services.storage, key) : null
  if (sha256 === null || (body.sha256 !== undefined && body.sha256 !== sha256)) {
    await forgetUpload(services.db, upload.id)
    throw new AppError('upload_damaged')
  }
  const isMarked = await markComplete(services, { ...upload, path: key }, { sha256 })
  if (!isMarked) await findOwnUpload(services.db, ctx, params.id)
}

/** Does nothing if the upload was already completed, by a concurrent call or before a crash. */
async function putTogether(upload: StoreUpload): Promise<void> {
  const listed = await unlessGone(upload.parts.list(upload.object))
  if (!listed) return
  const whole = new Map<number, StoredPart>(
    listed.filter((part) => isWhole(upload, part)).map((part) => [part.number, part]),
  )
  if (whole.size < countParts(upload)) throw new AppError('upload_incomplete')
  await unlessGone(completeOrRefuse(upload.parts, upload, [...whole.values()]))
}

async function completeOrRefuse(
  parts: StorageParts,
  { object }: StoreUpload,
  chosen: readonly StoredPart[],
): Promise<void> {
  try {
    await parts.complete(object, chosen)
  } catch (cause) {
    // A part was being replaced at the same time.
    if (isStorageError(cause, 'wrong_parts')) throw new AppError('upload_incomplete', { cause })
    throw cause
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
