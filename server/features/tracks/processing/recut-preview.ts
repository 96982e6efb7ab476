// Cuts a track's preview again after the owner changed the preview length.
import { join } from 'node:path'
import { transaction, type Database } from '../../../platform/db/database.ts'
import { notify } from '../../../platform/events/event-bus.ts'
import { probeAudio } from '../../../platform/ffmpeg/probe.ts'
import { renderRenditions } from '../../../platform/ffmpeg/renditions.ts'
import { readPreviewLength } from '../../settings/preview-length.ts'
import { adoptRenditions, readTrackForJob } from './adopt-renditions.ts'
import { store } from './make-track-files.ts'
import type { PipelineServices } from './process-track.ts'

/** Cuts a track's preview with the current length. The old preview stays playable until the new one replaces it. */
export async function cutPreview(
  services: PipelineServices,
  trackId: string,
  job: { signal: AbortSignal },
): Promise<void> {
  const { db, storage } = services
  const track = await readTrackForJob(db, trackId)
  const full = await db.query
    .selectFrom('renditions')
    .select('duration_seconds')
    .where('track_id', '=', trackId)
    .where('kind', '=', 'standard')
    .executeTakeFirst()
  if (!track || !full) return
  const trackSeconds = full.duration_seconds
  const previewLengthSeconds = await readPreviewLength(db)
  await storage.withLocalFile(track.source_key, (path) =>
    storage.withScratchFolder(async (folder) => {
      const preview = join(folder, 'preview.m4a')
      const header = await probeAudio(path)
      await renderRenditions(services.ffmpeg, {
        source: { ...header, path },
        outputs: {
          preview: { path: preview, previewLengthSeconds, trackSeconds },
        },
        tags: track,
        signal: job.signal,
      })
      const previewSeconds = Math.min(previewLengthSeconds, trackSeconds)
      const rendition = await store(
        services,
        trackId,
        'preview',
        preview,
        previewSeconds,
        previewLengthSeconds,
      )
      await transaction(db, async (trx) => {
        if (await adoptRenditions(services, trx, track, [rendition]))
          await notify(trx, 'tracks', trackId)
      })
    }),
  )
}

const pageSize = 500

/**
 * Enqueues a new cut of every preview whose length differs from the setting. Paginated, because the catalogue may be
 * large.
 */
export async function cutStalePreviews(
  services: Pick<PipelineServices, 'db' | 'jobs'>,
  job: { signal: AbortSignal },
): Promise<void> {
  const seconds = await readPreviewLength(services.db)
  for (let after: string | null = null; ;) {
    // Throw, because a job that returns is marked as completed and the remaining previews would never be cut.
    job.signal.throwIfAborted()
    const stale: string[] = await findStale(services.db, seconds, after)
    if (stale.length === 0) return
    // Lower priority than uploads, because people are waiting for uploads.
    await transaction(services.db, (trx) =>
      services.jobs.enqueueTracks(trx, 'cut-preview', stale, { priority: -1 }),
    )
    after = stale.at(-1) ?? null
  }
}

async function findStale(db: Database, seconds: number, after: string | null): Promise<string[]> {
  const rows = await db.query
    .selectFrom('renditions')
    .select('track_id')
    .where('kind', '=', 'preview')
    .where('preview_length_seconds', '!=', seconds)
    .$if(after !== null, (query) => query.where('track_id', '>', after))
    .orderBy('track_id')
    .limit(pageSize)
    .execute()
  return rows.map((row) => row.track_id)
}
