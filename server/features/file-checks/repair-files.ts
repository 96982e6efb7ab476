// Recreates damaged files: renditions from the track's recording, picture sizes from another size of the picture.
import { sql } from 'kysely'
import { pictureSizes } from '#contract/fields/pictures.ts'
import type { DamagedFile } from '#contract/fields/stored-files.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { processImage } from '../../platform/pictures/images.ts'
import { pictureKey } from '../pictures/store-picture.ts'
import { hashBytes } from '../../platform/storage/hash-file.ts'
import { isStorageError, type Storage } from '../../platform/storage/storage.ts'
import { listDamagedFiles } from './damaged-files.ts'

const isPicture = ({ kind }: DamagedFile) => kind === 'cover' || kind === 'avatar'

/** Tracks whose renditions can be recreated. */
export function findRepairableTracks(files: readonly DamagedFile[]): string[] {
  const ids = files.filter((file) => file.can_repair && !isPicture(file) && file.track_id)
  return [...new Set(ids.map((file) => file.track_id!))]
}

/** Enqueues jobs that recreate damaged files. Returns the number of these files. */
export async function enqueueRepairs(trx: Transaction, jobs: JobQueue): Promise<number> {
  const files = (await listDamagedFiles(trx)).filter((file) => file.can_repair)
  const trackIds = findRepairableTracks(files)
  if (trackIds.length > 0) await jobs.enqueueTracks(trx, 'process-track', trackIds)
  if (files.some(isPicture)) await jobs.enqueue(trx, 'repair-pictures', {})
  return files.length
}

/** Recreates the damaged files of each picture of which another file is intact. */
export async function repairPictures(
  services: { db: Database; storage: Storage },
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const files = (await listDamagedFiles(services.db)).filter((file) => file.can_repair)
  const ids = files.filter(isPicture).map(({ storage_key }) => storage_key.split('/')[1]!)
  for (const id of new Set(ids)) {
    signal.throwIfAborted()
    await repairPicture(services, id)
  }
}

async function repairPicture(
  { db, storage }: { db: Database; storage: Storage },
  id: string,
): Promise<void> {
  const image = await db.query
    .selectFrom('images')
    .select(['id', 'kind'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!image) return
  const rows = await db.query
    .selectFrom('stored_files')
    .select(['storage_key', 'sha256', 'problem'])
    .where('storage_key', 'like', `${image.kind}s/${id}/%`)
    .execute()
  const intact = rows.filter(({ problem }) => problem === null)
  const largest = await readLargest(storage, { id, kind: image.kind }, intact)
  if (!largest) return
  const processed = await processImage(largest, { kind: image.kind })
  await transaction(db, async (trx) => {
    // The lock prevents that the picture is deleted before its new files are stored.
    const isThere = await trx.query
      .selectFrom('images')
      .select('id')
      .where('id', '=', id)
      .forShare()
      .executeTakeFirst()
    if (!isThere) return
    for (const { size, format, bytes } of processed.files) {
      const key = pictureKey(image.kind, id, size, format)
      if (!rows.some((row) => row.storage_key === key && row.problem !== null)) continue
      await storage.put(key, bytes)
      await trx.query
        .updateTable('stored_files')
        .set({
          byte_size: bytes.byteLength,
          sha256: hashBytes(bytes),
          problem: null,
          checked_at: sql<string>`now()`,
        })
        .where('storage_key', '=', key)
        .execute()
    }
  })
}

async function readLargest(
  storage: Storage,
  { id, kind }: { id: string; kind: 'cover' | 'avatar' },
  intact: readonly { storage_key: string; sha256: string | null }[],
): Promise<Uint8Array | null> {
  for (const size of pictureSizes.toReversed()) {
    // Prefer WebP as the source, because these files are sharper than the AVIF files.
    for (const format of ['webp', 'avif'] as const) {
      const row = intact.find((file) => file.storage_key === pictureKey(kind, id, size, format))
      if (!row) continue
      const bytes = await storage.read(row.storage_key).catch((error: unknown) => {
        if (isStorageError(error, 'not_found')) return null
        throw error
      })
      if (bytes && row.sha256 === hashBytes(bytes)) return bytes
    }
  }
  return null
}
