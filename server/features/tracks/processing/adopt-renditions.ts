// Every job that generates files of a track starts with readTrackForJob() and ends with adoptRenditions(). If the track
// or the settings have changed in the meantime, the files are still adopted, and another job is enqueued to update
// them.
import type { Database, Transaction } from '../../../platform/db/database.ts'
import type { TrackRow } from '../../../platform/db/tables.ts'
import { taggedFields } from '../../../platform/ffmpeg/rendition-tags.ts'
import { renditionMime } from '../../../platform/ffmpeg/renditions.ts'
import type { PlatformServices } from '../../../platform/start/platform-services.ts'
import { readPreviewLength } from '../../settings/preview-length.ts'
import { discardKeys } from '../../../platform/storage/storage-garbage.ts'
import { claimFiles } from '../../../platform/storage/stored-files.ts'
import { hasChangedTags } from '../admin-track-fields.ts'
import type { StoredRendition } from './make-track-files.ts'

export type JobTrack = TrackRow & { source_key: string }

/**
 * Returns null if the track was deleted or has no recording. Takes a share lock, which waits for a change that is being
 * committed: the job of that change may have been deduplicated into this one.
 */
export async function readTrackForJob(db: Database, id: string): Promise<JobTrack | null> {
  const track = await db.query
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  return track?.source_key ? { ...track, source_key: track.source_key } : null
}

/**
 * Replaces the old renditions with those generated from `used`, and discards the old files. Returns false if the track
 * was deleted or has another source: then the new files belong to no track, and the storage sweep deletes them.
 */
export async function adoptRenditions(
  { jobs }: Pick<PlatformServices, 'jobs'>,
  trx: Transaction,
  used: JobTrack,
  newRenditions: readonly StoredRendition[],
): Promise<boolean> {
  const current = await trx.query
    .selectFrom('tracks')
    .select(['source_key', ...taggedFields])
    .where('id', '=', used.id)
    .forUpdate()
    .executeTakeFirst()
  if (current?.source_key !== used.source_key) return false
  const renditions = await removeStaleCopies(trx, used.id, newRenditions)
  if (renditions.length === 0) return true
  await replaceRenditions(trx, used.id, renditions)
  if (hasChangedTags(used, current)) await jobs.enqueue(trx, 'retag-track', { track_id: used.id })
  const preview = renditions.find(({ kind }) => kind === 'preview')
  if (preview && preview.previewLengthSeconds !== (await readPreviewLength(trx))) {
    await jobs.enqueue(trx, 'cut-preview', { track_id: used.id })
  }
  return true
}

/**
 * Drops copies of a rendition that has since been replaced: they would restore the old audio. Their files belong to no
 * track, so the storage sweep deletes them.
 */
async function removeStaleCopies(
  trx: Transaction,
  trackId: string,
  newRenditions: readonly StoredRendition[],
): Promise<StoredRendition[]> {
  const rows = await trx.query
    .selectFrom('renditions')
    .select('storage_key')
    .where('track_id', '=', trackId)
    .execute()
  const current = new Set(rows.map((row) => row.storage_key))
  return newRenditions.filter(({ copyOf }) => copyOf === undefined || current.has(copyOf))
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
  await claimFiles(
    trx,
    renditions.map(({ storageKey, sha256, stat }) => ({
      storageKey,
      sha256,
      byteSize: stat.byteSize,
    })),
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
