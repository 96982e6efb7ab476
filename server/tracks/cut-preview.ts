// Cuts a track's preview again, after the owner changed the preview length.
import { join } from 'node:path'
import { transaction } from '../db/database.ts'
import { notify } from '../events/event-bus.ts'
import { probeAudio } from '../media/probe.ts'
import { renderRenditions } from '../media/renditions.ts'
import { adoptRenditions, store, type PipelineServices } from './process-track.ts'

/** Leaves the old preview playing until the new one takes its place. */
export async function cutPreview(
  services: PipelineServices,
  trackId: string,
  job: { signal: AbortSignal },
): Promise<void> {
  const track = await services.db.query
    .selectFrom('tracks as t')
    .innerJoin('renditions as full', (join_) =>
      join_.onRef('full.track_id', '=', 't.id').on('full.kind', '=', 'standard'),
    )
    .selectAll('t')
    .select('full.duration_seconds')
    .where('t.id', '=', trackId)
    .executeTakeFirst()
  if (!track?.source_key) return
  const sourceKey = track.source_key
  const previewLengthSeconds = services.settings.current().preview_length_seconds
  const { storage } = services
  await storage.withLocalFile(sourceKey, (path) =>
    storage.withScratchFolder(async (folder) => {
      const preview = join(folder, 'preview.m4a')
      const header = await probeAudio(path)
      await renderRenditions(services.ffmpeg, {
        source: { ...header, path, durationSeconds: track.duration_seconds },
        outputs: { preview: { path: preview, previewLengthSeconds } },
        tags: track,
        signal: job.signal,
      })
      const previewSeconds = Math.min(previewLengthSeconds, track.duration_seconds)
      const rendition = await store(
        services,
        trackId,
        'preview',
        preview,
        previewSeconds,
        previewLengthSeconds,
      )
      await transaction(services.db, async (trx) => {
        if (await adoptRenditions(trx, track, sourceKey, [rendition]))
          await notify(trx, 'tracks', trackId)
      })
    }),
  )
}
