// Writes changed titles, artists, genres and AI disclosures into a track's existing files.
import { join } from 'node:path'
import { transaction } from '../../../platform/db/database.ts'
import { notify } from '../../../platform/events/event-bus.ts'
import { rewriteRenditionTags } from '../../../platform/ffmpeg/retag.ts'
import { adoptRenditions, readTrackForJob } from './adopt-renditions.ts'
import { store, type StoredRendition } from './make-track-files.ts'
import type { PipelineServices } from './process-track.ts'

export async function retagTrack(
  services: PipelineServices,
  trackId: string,
  job: { signal: AbortSignal },
): Promise<void> {
  const { db, ffmpeg, storage } = services
  const track = await readTrackForJob(db, trackId)
  if (!track) return
  const existing = await db.query
    .selectFrom('renditions')
    .selectAll()
    .where('track_id', '=', trackId)
    .execute()
  await storage.withScratchFolder(async (folder) => {
    const renditions: StoredRendition[] = []
    for (const rendition of existing) {
      const output = join(folder, `${rendition.kind}.m4a`)
      await storage.withLocalFile(rendition.storage_key, (input) =>
        rewriteRenditionTags(ffmpeg, { input, output, tags: track, signal: job.signal }),
      )
      const stored = await store(
        services,
        trackId,
        rendition.kind,
        output,
        rendition.duration_seconds,
        rendition.preview_length_seconds,
      )
      renditions.push({ ...stored, copyOf: rendition.storage_key })
    }
    // If there are no files yet, processing generates them with the new tags.
    if (renditions.length === 0) return
    await transaction(db, async (trx) => {
      if (await adoptRenditions(services, trx, track, renditions))
        await notify(trx, 'tracks', trackId)
    })
  })
}
