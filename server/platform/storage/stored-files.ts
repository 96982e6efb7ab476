// Records size and SHA-256 of each object that a row owns, to verify the storage later.
import type { Transaction } from '../db/database.ts'
import { claimKeys } from './storage-garbage.ts'

export interface StoredFile {
  storageKey: string
  byteSize: number
  /** The SHA-256 in hexadecimal. */
  sha256: string
}

/**
 * Call it in the transaction that inserts the row owning these objects. Throws if one of them is no longer reserved.
 * discardKeys() is the inverse.
 */
export async function claimFiles(trx: Transaction, files: readonly StoredFile[]): Promise<void> {
  if (files.length === 0) return
  await claimKeys(
    trx,
    files.map((file) => file.storageKey),
  )
  await trx.query
    .insertInto('stored_files')
    .values(
      files.map(({ storageKey, byteSize, sha256 }) => ({
        storage_key: storageKey,
        byte_size: byteSize,
        sha256,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('storage_key').doUpdateSet((eb) => ({
        byte_size: eb.ref('excluded.byte_size'),
        sha256: eb.ref('excluded.sha256'),
      })),
    )
    .execute()
}
