// Encodes a spot's recording in the same way as a track, and measures its loudness, so that players can make it no
// louder than the tracks.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { spotMaxSeconds } from '#contract/admin/service/admin-spots.ts'
import { transaction } from '../../platform/db/database.ts'
import { analyzeAudio } from '../../platform/ffmpeg/analyze-audio.ts'
import { isPermanentMediaError, MediaError } from '../../platform/ffmpeg/media-error.ts'
import { probeAudio } from '../../platform/ffmpeg/probe.ts'
import { renderRenditions } from '../../platform/ffmpeg/renditions.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { hashFile } from '../../platform/storage/hash-file.ts'
import { discardKeys, reserveKeys } from '../../platform/storage/storage-garbage.ts'
import { claimFiles } from '../../platform/storage/stored-files.ts'
import { isStorageError } from '../../platform/storage/storage.ts'

type SpotServices = Pick<PlatformServices, 'db' | 'storage' | 'ffmpeg'>

/**
 * Encodes the spot's new recording. If the recording is unusable, stores the reason. Throws any other error, so that
 * the job is retried.
 */
export async function processSpot(
  services: SpotServices,
  spotId: string,
  job: { signal: AbortSignal; isLastAttempt: boolean },
): Promise<void> {
  // Take a share lock, to wait for a request that is updating the spot.
  const spot = await services.db.query
    .selectFrom('spots')
    .select(['id', 'title', 'source_key'])
    .where('id', '=', spotId)
    .forShare()
    .executeTakeFirst()
  // The spot was deleted, or another job has encoded it.
  if (!spot?.source_key) return
  const work = { ...spot, source_key: spot.source_key }
  try {
    await encode(services, work, job.signal)
  } catch (error) {
    const isLost = isStorageError(error, 'not_found')
    if (job.signal.aborted || (!isLost && !isPermanentMediaError(error) && !job.isLastAttempt))
      throw error
    const reason = error instanceof MediaError ? error.message : 'The recording could not be read.'
    await recordFailure(services, work, reason)
    if (!isPermanentMediaError(error) && !isLost) throw error
  }
}

interface WorkSpot {
  id: string
  title: string
  source_key: string
}

async function encode(services: SpotServices, spot: WorkSpot, signal: AbortSignal): Promise<void> {
  const { db, ffmpeg, storage } = services
  await storage.withLocalFile(spot.source_key, (path) =>
    storage.withScratchFolder(async (folder) => {
      const header = await probeAudio(path)
      const source = { ...header, path }
      const analysis = await analyzeAudio(ffmpeg, source, {
        signal,
        maxDurationSeconds: spotMaxSeconds,
      })
      const file = join(folder, 'spot.m4a')
      const { default_ai_disclosure } = await db.query
        .selectFrom('settings')
        .select('default_ai_disclosure')
        .where('id', '=', 1)
        .executeTakeFirstOrThrow()
      const tags = { title: spot.title, artist: '', ai_disclosure: default_ai_disclosure }
      await renderRenditions(ffmpeg, { source, outputs: { standard: file }, tags, signal })
      const storageKey = `spots/${spot.id}/${randomUUID()}.m4a`
      await reserveKeys(db, [storageKey])
      const sha256 = await hashFile(file)
      const { byteSize } = await storage.putFile(storageKey, file)
      await transaction(db, async (trx) => {
        const current = await trx.query
          .selectFrom('spots')
          .select(['source_key', 'audio_key'])
          .where('id', '=', spot.id)
          .forUpdate()
          .executeTakeFirst()
        // In the meantime, the spot was deleted or another recording was uploaded. No row refers to the new file, so
        // the sweep deletes it.
        if (current?.source_key !== spot.source_key) return
        await claimFiles(trx, [{ storageKey, byteSize, sha256 }])
        await trx.query
          .updateTable('spots')
          .set({
            source_key: null,
            processing_status: 'ready',
            processing_error: null,
            audio_key: storageKey,
            audio_bytes: byteSize,
            duration_seconds: analysis.durationSeconds,
            loudness_lufs: analysis.loudness.integratedLufs,
            true_peak_dbtp: analysis.loudness.truePeakDbtp,
          })
          .where('id', '=', spot.id)
          .execute()
        await discardKeys(
          trx,
          [spot.source_key, current.audio_key].filter((key) => key !== null),
        )
      })
    }),
  )
}

/** Stores why the new recording could not be used. The spot keeps its previous recording. */
async function recordFailure(
  { db }: SpotServices,
  spot: WorkSpot,
  processing_error: string,
): Promise<void> {
  await transaction(db, async (trx) => {
    const failed = await trx.query
      .updateTable('spots')
      .set({ processing_status: 'failed', processing_error, source_key: null })
      .where('id', '=', spot.id)
      .where('source_key', '=', spot.source_key)
      .returning('id')
      .executeTakeFirst()
    if (failed) await discardKeys(trx, [spot.source_key])
  })
}
