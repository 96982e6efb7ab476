// Stores the pictures of the service's logo and icon. The row of `branding` contains their ids, and their files belong
// to that row.
import type { Transaction } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { EmblemKind } from '../../platform/pictures/emblem-names.ts'
import { processEmblem } from '../../platform/pictures/images.ts'
import { hashBytes } from '../../platform/storage/hash-file.ts'
import { discardKeys } from '../../platform/storage/storage-garbage.ts'
import { claimFiles } from '../../platform/storage/stored-files.ts'
import { encodeUploadedPicture, type PictureServices } from '../pictures/store-picture.ts'
import { emblemKeys } from '../settings/emblem-files.ts'

export interface TakenEmblem {
  width: number
  height: number
  /** Assigns the stored files to the row in which the caller saves the returned id. */
  claim: (trx: Transaction) => Promise<string>
}

/** Encodes an uploaded logo or icon. Null if no path is given. Throws the errors of `storeUploadedPicture`. */
export async function encodeEmblemUpload(
  services: PictureServices,
  ctx: MemberContext,
  path: string | null | undefined,
  kind: EmblemKind,
): Promise<TakenEmblem | null> {
  let size = { width: 0, height: 0 }
  const taken = await encodeUploadedPicture(services, ctx, path, async (bytes, { id, reserve }) => {
    const { files, width, height } = await processEmblem(bytes, kind)
    size = { width, height }
    const keys = emblemKeys(kind, id)
    await reserve(keys)
    const stored = files.map(({ bytes: content }, at) => ({
      storageKey: keys[at]!,
      byteSize: content.byteLength,
      sha256: hashBytes(content),
      content,
    }))
    for (const { storageKey, content } of stored) await services.storage.put(storageKey, content)
    return {
      async claim(trx) {
        await claimFiles(trx, stored)
        return id
      },
    }
  })
  return taken && { ...size, claim: taken.claim }
}

export async function dropEmblem(
  trx: Transaction,
  kind: EmblemKind,
  id: string | null,
): Promise<void> {
  if (id !== null) await discardKeys(trx, emblemKeys(kind, id))
}
