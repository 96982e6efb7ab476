// The moment when new files become a track's. The setting by which they were made may be another by now; then a job that
// makes them right is enqueued in the same transaction.
import type { Transaction } from '../db/database.ts'
import type { TrackRow } from '../db/tables.ts'
import { renditionMime } from '../media/renditions.ts'
import type { Services } from '../services.ts'
import { readPreviewLength } from '../settings/preview-length.ts'
import { claimKeys, discardKeys } from '../storage/storage-garbage.ts'
import type { StoredRendition } from './make-track-files.ts'

/**
 * Puts new renditions in the place of the old ones, whose files are given up. False when the track
 * is gone or has another source by now: then these renditions are nobody's and are swept.
 */
export async function adoptRenditions(
  { jobs }: Pick<Services, 'jobs'>,
  trx: Transaction,
  track: Pick<TrackRow, 'id'>,
  sourceKey: string,
  made: readonly StoredRendition[],
): Promise<boolean> {
  const current = await trx.query
    .selectFrom('tracks')
    .select('source_key')
    .where('id', '=', track.id)
    .forUpdate()
    .executeTakeFirst()
  if (current?.source_key !== sourceKey) return false
  const renditions = await withoutStaleCopies(trx, track.id, made)
  if (renditions.length === 0) return true
  await replaceRenditions(trx, track.id, renditions)
  const preview = renditions.find(({ kind }) => kind === 'preview')
  if (preview && preview.previewLengthSeconds !== (await readPreviewLength(trx))) {
    await jobs.enqueue(trx, 'cut-preview', { track_id: track.id })
  }
  return true
}

/** A copy of what was replaced meanwhile would bring the old sound back; it is nobody's and is swept. */
async function withoutStaleCopies(
  trx: Transaction,
  trackId: string,
  made: readonly StoredRendition[],
): Promise<StoredRendition[]> {
  const rows = await trx.query
    .selectFrom('renditions')
    .select('storage_key')
    .where('track_id', '=', trackId)
    .execute()
  const current = new Set(rows.map((row) => row.storage_key))
  return made.filter(({ copyOf }) => copyOf === undefined || current.has(copyOf))
}

async function replaceRenditions(
  trx: Transaction,
  trackId: string,
  renditions: StoredRendition[],
): Promise<void> {
  const replaced = await trx.query
    .deleteFrom('renditions')
    .where('track_id', '=', trackId)
    .where(
      'kind',
      'in',
      renditions.map(({ kind }) => kind),
    )
    .returning('storage_key')
    .execute()
  await discardKeys(
    trx,
    replaced.map((row) => row.storage_key),
  )
  await claimKeys(
    trx,
    renditions.map(({ storageKey }) => storageKey),
  )
  await trx.query
    .insertInto('renditions')
    .values(
      renditions.map((rendition) => ({
        track_id: trackId,
        kind: rendition.kind,
        storage_key: rendition.storageKey,
        mime: renditionMime,
        byte_size: rendition.stat.byteSize,
        duration_seconds: rendition.durationSeconds,
        etag: rendition.stat.etag,
        preview_length_seconds: rendition.previewLengthSeconds,
      })),
    )
    .execute()
}
