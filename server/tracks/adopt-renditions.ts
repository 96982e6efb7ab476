// Every job that makes files of a track begins with readTrackForJob() and ends with adoptRenditions(). What the files were
// made by may be another by then: they are adopted all the same, with a job that makes them right.
import type { Database, Transaction } from '../db/database.ts'
import type { TrackRow } from '../db/tables.ts'
import { taggedFields } from '../media/rendition-tags.ts'
import { renditionMime } from '../media/renditions.ts'
import type { Services } from '../services.ts'
import { readPreviewLength } from '../settings/preview-length.ts'
import { discardKeys } from '../storage/storage-garbage.ts'
import { claimFiles } from '../storage/stored-files.ts'
import { tagsChanged } from './admin-track-fields.ts'
import type { StoredRendition } from './make-track-files.ts'

export type WorkTrack = TrackRow & { source_key: string }

/**
 * Null when the track is gone or has no recording. Waits for whoever changes the track at this moment: where a job for
 * it was waiting already theirs was left out, so that this one has to see the change.
 */
export async function readTrackForJob(db: Database, id: string): Promise<WorkTrack | null> {
  const track = await db.query
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  return track?.source_key ? { ...track, source_key: track.source_key } : null
}

/**
 * Puts the renditions that were made of `used` in the place of the old ones, whose files are given up. False when the
 * track is gone or has another source by now: then these renditions are nobody's and are swept.
 */
export async function adoptRenditions(
  { jobs }: Pick<Services, 'jobs'>,
  trx: Transaction,
  used: WorkTrack,
  made: readonly StoredRendition[],
): Promise<boolean> {
  const current = await trx.query
    .selectFrom('tracks')
    .select(['source_key', ...taggedFields])
    .where('id', '=', used.id)
    .forUpdate()
    .executeTakeFirst()
  if (current?.source_key !== used.source_key) return false
  const renditions = await withoutStaleCopies(trx, used.id, made)
  if (renditions.length === 0) return true
  await replaceRenditions(trx, used.id, renditions)
  if (tagsChanged(used, current)) await jobs.enqueue(trx, 'retag-track', { track_id: used.id })
  const preview = renditions.find(({ kind }) => kind === 'preview')
  if (preview && preview.previewLengthSeconds !== (await readPreviewLength(trx))) {
    await jobs.enqueue(trx, 'cut-preview', { track_id: used.id })
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
