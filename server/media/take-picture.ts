// Turns uploaded or made pictures into stored covers and avatars. The files are written first under
// reserved keys; the caller's transaction then makes them its own, or the sweeper takes them away.
import { randomUUID } from 'node:crypto'
import { pictureSizes } from '#contract/pictures.ts'
import type { Database, Transaction } from '../db/database.ts'
import type { MemberContext } from '../http/context.ts'
import type { Storage } from '../storage/storage.ts'
import { claimKeys, discardKeys, reserveKeys } from '../storage/storage-garbage.ts'
import { findCompleteUpload, useUpload } from '../uploads/use-upload.ts'
import { processImage, type ProcessedImage } from './images.ts'

export interface PictureServices {
  db: Database
  storage: Storage
}

export type PictureKind = 'cover' | 'avatar'

/** A picture whose files are stored but that nobody owns yet. */
export interface StoredPicture {
  /** Makes it the caller's; returns the id of its `images` row. */
  claim: (trx: Transaction) => Promise<string>
}

const formats = ['avif', 'webp'] as const
type PictureFormat = (typeof formats)[number]

/** Storage key of one size of a picture. */
export function pictureKey(
  kind: PictureKind,
  id: string,
  size: number,
  format: PictureFormat,
): string {
  return `${kind}s/${id}/${size}.${format}`
}

/**
 * Re-encodes a finished upload of the actor's into all sizes. Null when no path is given.
 * Throws `upload_not_found`, `upload_incomplete`, `upload_used`, `unsupported_image`, `image_too_large`.
 */
export async function takePicture(
  services: PictureServices,
  ctx: MemberContext,
  path: string | null | undefined,
  kind: PictureKind,
): Promise<StoredPicture | null> {
  if (!path) return null
  const owned = { path, bucket: 'covers', userId: ctx.actor.user_id } as const
  const upload = await findCompleteUpload(services.db, owned)
  const picture = await storePicture(
    services,
    await processImage(await services.storage.read(upload.storageKey), { kind }),
    kind,
    // The address that the upload was promised.
    upload.id,
  )
  return {
    async claim(trx) {
      const used = await useUpload(trx, owned)
      // Only the re-encoded sizes are kept, never the file as it was sent.
      await discardKeys(trx, [used.storageKey])
      return picture.claim(trx)
    },
  }
}

/** Stores a picture's files, made by `processImage` or `paintCover`. */
export async function storePicture(
  services: PictureServices,
  image: ProcessedImage,
  kind: PictureKind,
  id: string = randomUUID(),
): Promise<StoredPicture> {
  const keys = image.files.map((file) => pictureKey(kind, id, file.size, file.format))
  await reserveKeys(services.db, keys)
  for (const [index, file] of image.files.entries()) {
    await services.storage.put(keys[index]!, file.bytes)
  }
  return {
    async claim(trx) {
      await claimKeys(trx, keys)
      const { tint, placeholder, width, height } = image
      await trx.query
        .insertInto('images')
        .values({ id, kind, tint, placeholder, width, height })
        .execute()
      return id
    },
  }
}

/** Removes a picture's row; its files follow. */
export async function dropImage(trx: Transaction, id: string): Promise<void> {
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
