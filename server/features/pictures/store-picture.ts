// Converts uploaded or generated pictures to stored covers and avatars. The files are first written under reserved
// keys. The caller's transaction then assigns them to a row; otherwise the storage sweep deletes them.
import { randomUUID } from 'node:crypto'
import { pictureSizes } from '#contract/fields/pictures.ts'
import { pictureLimit } from '#contract/rate-limit.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import type { Actor } from '../../platform/operations/context.ts'
import { createLimitedKey } from '../../platform/limits/limit-keys.ts'
import { createSharedStore } from '../../platform/limits/limit-store.ts'
import { consumeRateLimit } from '../../platform/limits/rate-limit.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { hashBytes } from '../../platform/storage/hash-file.ts'
import { discardKeys, reserveKeys } from '../../platform/storage/storage-garbage.ts'
import { claimFiles } from '../../platform/storage/stored-files.ts'
import {
  findCompleteUpload,
  lockCompleteUpload,
  useUpload,
  type OwnedUpload,
} from '../uploads/use-upload.ts'
import { processImage, type ProcessedImage } from '../../platform/pictures/images.ts'
import { limitConcurrency } from '../../platform/process/limit-concurrency.ts'

export interface PictureServices {
  db: Database
  storage: Storage
}

export type PictureKind = 'cover' | 'avatar'

/** A picture whose files are stored but do not belong to a row yet. */
export interface StoredPicture {
  /** Inserts an `images` row to which the files then belong, and returns its id. */
  claim: (trx: Transaction) => Promise<string>
}

const formats = ['avif', 'webp'] as const
type PictureFormat = (typeof formats)[number]

/** The storage key of one size of a picture. */
export function pictureKey(
  kind: PictureKind,
  id: string,
  size: number,
  format: PictureFormat,
): string {
  return `${kind}s/${id}/${size}.${format}`
}

/** Limits how many uploaded pictures are in memory at a time. Waiting requests hold no data. */
const inTurn = limitConcurrency(2)

/**
 * Re-encodes a finished upload of the signed-in person into all sizes. Returns null if no path is given. Throws
 * `upload_not_found`, `upload_incomplete`, `upload_used`, `rate_limited`, `unsupported_image`, `image_too_large`.
 */
export async function storeUploadedPicture(
  services: PictureServices,
  ctx: { actor: Pick<Actor, 'user_id'> },
  path: string | null | undefined,
  kind: PictureKind,
): Promise<StoredPicture | null> {
  return encodeUploadedPicture(services, ctx, path, async (bytes, place) =>
    storePicture(services, await processImage(bytes, { kind }), kind, place),
  )
}

/** Like storeUploadedPicture(), but `store` encodes and stores the picture. */
export async function encodeUploadedPicture(
  services: PictureServices,
  ctx: { actor: Pick<Actor, 'user_id'> },
  path: string | null | undefined,
  store: (bytes: Uint8Array, place: PicturePlace) => Promise<StoredPicture>,
): Promise<StoredPicture | null> {
  if (!path) return null
  const owned = { path, bucket: 'covers', userId: ctx.actor.user_id } as const
  const { id } = await findCompleteUpload(services.db, owned)
  await consumeRateLimit(createSharedStore(services.db), [createLimitedKey(pictureLimit, id)])
  const picture = await inTurn(async () => {
    // Check again: a concurrent request may have used the upload in the meantime.
    const { storageKey } = await findCompleteUpload(services.db, owned)
    // Use the upload's id for the picture, because the client knows it from the path of the upload.
    return store(await services.storage.read(storageKey), {
      id,
      reserve: (keys) => reserveForUpload(services.db, owned, keys),
    })
  })
  return {
    async claim(trx) {
      const used = await useUpload(trx, owned)
      // Discard the uploaded file: only the re-encoded sizes are kept.
      await discardKeys(trx, [used.storageKey])
      return picture.claim(trx)
    },
  }
}

/**
 * Reserves the keys of a picture's files only while the upload is unused. Once it is used, the files belong to a row,
 * and a reservation would make the storage sweep delete them.
 */
async function reserveForUpload(
  db: Database,
  owned: OwnedUpload,
  keys: readonly string[],
): Promise<void> {
  await transaction(db, async (trx) => {
    await lockCompleteUpload(trx, owned)
    await reserveKeys(trx, keys)
  })
}

/** The id of a picture, and the function that reserves its keys. */
export interface PicturePlace {
  id: string
  reserve: (keys: readonly string[]) => Promise<void>
}

/** Stores the files that `processImage` or `renderCover` created. */
export async function storePicture(
  services: PictureServices,
  image: ProcessedImage,
  kind: PictureKind,
  place: PicturePlace = { id: randomUUID(), reserve: (keys) => reserveKeys(services.db, keys) },
): Promise<StoredPicture> {
  const { id, reserve } = place
  const files = image.files.map(({ size, format, bytes }) => ({
    storageKey: pictureKey(kind, id, size, format),
    byteSize: bytes.byteLength,
    sha256: hashBytes(bytes),
    bytes,
  }))
  await reserve(files.map((file) => file.storageKey))
  for (const { storageKey, bytes } of files) await services.storage.put(storageKey, bytes)
  // Do not keep the bytes, which would otherwise stay in memory until the files are assigned to a row.
  const stored = files.map(({ storageKey, byteSize, sha256 }) => ({ storageKey, byteSize, sha256 }))
  return {
    async claim(trx) {
      await claimFiles(trx, stored)
      const { tint, placeholder, width, height } = image
      await trx.query
        .insertInto('images')
        .values({ id, kind, tint, placeholder, width, height })
        .execute()
      return id
    },
  }
}

/** Deletes a picture's row. The storage sweep deletes its files. */
export async function deletePicture(trx: Transaction, id: string): Promise<void> {
  const image = await trx.query
    .deleteFrom('images')
    .where('id', '=', id)
    .returning('kind')
    .executeTakeFirst()
  if (!image) return
  await discardKeys(
    trx,
    pictureSizes.flatMap((size) =>
      formats.map((format) => pictureKey(image.kind, id, size, format)),
    ),
  )
}
