// The processing of one track, from the uploaded source to the playable files. Files are created under reserved storage
// keys; one transaction at the end assigns them to the track. After a killed job, the retry starts over and the storage
// sweep deletes the leftover files.
import type { FileProblem } from '#contract/fields/stored-files.ts'
import { transaction, type Database, type Transaction } from '../../../platform/db/database.ts'
import type { TrackRow } from '../../../platform/db/tables.ts'
import { notify } from '../../../platform/events/event-bus.ts'
import { MediaError, isPermanentMediaError } from '../../../platform/ffmpeg/media-error.ts'
import type { StoredPicture } from '../../pictures/store-picture.ts'
import type { PlatformServices } from '../../../platform/start/platform-services.ts'
import { hashFile } from '../../../platform/storage/hash-file.ts'
import { isStorageError } from '../../../platform/storage/storage.ts'
import { getPublishedTrackColumns } from '../admin-track-fields.ts'
import { adoptRenditions, readTrackForJob, type JobTrack } from './adopt-renditions.ts'
import { generateTrackFiles, type TrackFileServices } from './make-track-files.ts'
import { createProgressReport } from './processing-progress.ts'
import { saveMeasuredFingerprint, saveSound } from './save-sound.ts'

export type PipelineServices = TrackFileServices & Pick<PlatformServices, 'jobs' | 'now'>

/**
 * Generates renditions, preview, waveform, loudness and, if the track has none, a cover. A permanently unusable source
 * is recorded as failed. Any other error is thrown so that the job is retried.
 */
export async function processTrack(
  services: PipelineServices,
  trackId: string,
  job: { signal: AbortSignal; isLastAttempt: boolean },
): Promise<void> {
  const track = await readTrackForJob(services.db, trackId)
  // The track was deleted before the job started.
  if (!track) return
  const report = createProgressReport(services.db, trackId)
  await report.start()
  try {
    await makeAndAdoptFiles(services, track, job.signal, report.share)
  } catch (error) {
    await report.settle()
    const lasting = isPermanentMediaError(error)
    if (job.signal.aborted || (!lasting && !job.isLastAttempt)) throw error
    await recordFailure(services.db, track, error)
    if (!lasting) throw error
  }
}

async function makeAndAdoptFiles(
  services: PipelineServices,
  track: JobTrack,
  signal: AbortSignal,
  report: (share: number) => void,
): Promise<void> {
  await withSource(services, track, async (path) => {
    const newFiles = await generateTrackFiles(services, track, path, { signal, onProgress: report })
    const { header, analysis, renditions, cover } = newFiles
    await transaction(services.db, async (trx) => {
      const isCurrent = await adoptRenditions(services, trx, track, renditions)
      if (!isCurrent) return
      const current = await readPublication(trx, track.id)
      await trx.query
        .updateTable('tracks')
        .set((eb) => ({
          duration: Math.round(analysis.durationSeconds),
          loudness_lufs: analysis.loudness.integratedLufs,
          true_peak_dbtp: analysis.loudness.truePeakDbtp,
          peaks: Buffer.from(analysis.peaks),
          lyrics: eb.fn.coalesce('lyrics', eb.val(header.tags.lyrics?.slice(0, 50_000) ?? null)),
          processing_status: 'ready',
          processing_progress: 1,
          processing_error: null,
          ...(current.publish_when_ready && getPublishedTrackColumns(current, services.now())),
          updated_at: services.now().toISOString(),
        }))
        .where('id', '=', track.id)
        .execute()
      await saveSound(trx, track.id, analysis)
      await saveMeasuredFingerprint(trx, track.id, analysis)
      if (cover) await adoptCover(trx, track.id, cover)
      await notify(trx, 'tracks', track.id)
    })
  })
}

/**
 * Runs a step with the track's recording. Throws `source_lost` if it is missing or differs from the uploaded one,
 * because files generated from it would replace playable renditions.
 */
async function withSource(
  { db, storage }: PipelineServices,
  track: JobTrack,
  use: (path: string) => Promise<void>,
): Promise<void> {
  const lost = async (problem: FileProblem, options?: ErrorOptions): Promise<never> => {
    await db.query
      .updateTable('stored_files')
      .set({ problem })
      .where('storage_key', '=', track.source_key)
      .execute()
    throw new MediaError(
      'source_lost',
      problem === 'missing'
        ? 'The recording is missing in the storage. Upload it again.'
        : 'The recording in the storage is damaged. Upload it again.',
      options,
    )
  }
  try {
    await storage.withLocalFile(track.source_key, async (path) => {
      const { source_sha256 } = track
      if (source_sha256 && (await hashFile(path)) !== source_sha256) await lost('wrong_bytes')
      await use(path)
    })
  } catch (error) {
    if (!isStorageError(error, 'not_found')) throw error
    await lost('missing', { cause: error })
  }
}

/** Reads the publication state, which may have changed since the job started. The caller has locked the row. */
function readPublication(trx: Transaction, trackId: string) {
  return trx.query
    .selectFrom('tracks')
    .select(['publish_when_ready', 'release_zone', 'early_access_days', 'early_access_until'])
    .where('id', '=', trackId)
    .executeTakeFirstOrThrow()
}

/**
 * Sets the generated cover. If an admin has set a cover in the meantime, does nothing: the generated file then belongs
 * to no track, and the storage sweep deletes it.
 */
async function adoptCover(trx: Transaction, trackId: string, cover: StoredPicture): Promise<void> {
  const { cover_id } = await trx.query
    .selectFrom('tracks')
    .select('cover_id')
    .where('id', '=', trackId)
    .executeTakeFirstOrThrow()
  if (cover_id) return
  await trx.query
    .updateTable('tracks')
    .set({ cover_id: await cover.claim(trx) })
    .where('id', '=', trackId)
    .execute()
}

/** Records that processing failed. A track that was playable before stays playable. */
async function recordFailure(db: Database, track: TrackRow, error: unknown): Promise<void> {
  const message = error instanceof MediaError ? error.message : 'Processing did not succeed.'
  await transaction(db, async (trx) => {
    const playable = await trx.query
      .selectFrom('renditions')
      .select('id')
      .where('track_id', '=', track.id)
      .executeTakeFirst()
    await trx.query
      .updateTable('tracks')
      .set({
        processing_status: playable ? 'ready' : 'failed',
        processing_error: message,
        publish_when_ready: false,
      })
      .where('id', '=', track.id)
      .execute()
    await notify(trx, 'tracks', track.id)
  })
}
