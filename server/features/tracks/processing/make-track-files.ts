// Generates all files from a track's source: audio analysis, three renditions and a cover. They are stored under
// reserved keys and do not belong to the track yet. Independent steps run concurrently.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { TrackRow } from '../../../platform/db/tables.ts'
import { analyzeAudio, type AudioAnalysis } from '../../../platform/ffmpeg/analyze-audio.ts'
import { renderCover } from '../../../platform/pictures/cover-painter.ts'
import { processImage } from '../../../platform/pictures/images.ts'
import { MediaError } from '../../../platform/ffmpeg/media-error.ts'
import { probeAudio, type AudioHeader } from '../../../platform/ffmpeg/probe.ts'
import { renderRenditions, type RenditionOutputs } from '../../../platform/ffmpeg/renditions.ts'
import {
  storePicture,
  type PictureServices,
  type StoredPicture,
} from '../../pictures/store-picture.ts'
import { runTogether } from '../../../platform/process/run-together.ts'
import type { PlatformServices } from '../../../platform/start/platform-services.ts'
import { readPreviewLength } from '../../settings/preview-length.ts'
import { hashFile } from '../../../platform/storage/hash-file.ts'
import { reserveKeys } from '../../../platform/storage/storage-garbage.ts'
import type { ObjectStat } from '../../../platform/storage/storage.ts'

export type TrackFileServices = Pick<PlatformServices, 'db' | 'storage' | 'ffmpeg'> & {
  pictures: PictureServices
}

type Kind = 'standard' | 'high' | 'preview'

/** A rendition whose file is stored but does not belong to a track yet. */
export interface StoredRendition {
  kind: Kind
  storageKey: string
  durationSeconds: number
  previewLengthSeconds: number | null
  stat: ObjectStat
  sha256: string
  /**
   * The key of the existing rendition from which this one copies the audio. If that rendition is gone, this one is
   * discarded.
   */
  copyOf?: string
}

export interface TrackFiles {
  header: AudioHeader
  analysis: AudioAnalysis
  renditions: StoredRendition[]
  /** Null if the track already has a cover. */
  cover: StoredPicture | null
}

/** The share of each step in the total duration, as measured. */
const shares = { analysis: 0.1, high: 0.4, others: 0.5 }

/** Throws the errors of the audio and picture functions. */
export async function generateTrackFiles(
  services: TrackFileServices,
  track: TrackRow,
  path: string,
  job: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<TrackFiles> {
  const { db, ffmpeg, storage } = services
  const previewLengthSeconds = await readPreviewLength(db)
  const header = await probeAudio(path)
  const source = { ...header, path }
  const progressOf = addUp(job.onProgress)
  return storage.withScratchFolder(async (folder) => {
    const paths = {
      standard: join(folder, 'standard.m4a'),
      high: join(folder, 'high.m4a'),
      preview: join(folder, 'preview.m4a'),
    }
    const render = (outputs: RenditionOutputs, signal: AbortSignal, share: number) => {
      const onProgress = progressOf(share)
      return renderRenditions(ffmpeg, { source, outputs, tags: track, signal, onProgress })
    }
    const analyseFirst = async (signal: AbortSignal) => {
      const onProgress = progressOf(shares.analysis)
      const analysis = await analyzeAudio(ffmpeg, source, { signal, onProgress })
      const trackSeconds = analysis.durationSeconds
      const preview = { path: paths.preview, previewLengthSeconds, trackSeconds }
      await render({ standard: paths.standard, preview }, signal, shares.others)
      return analysis
    }
    const [analysis, cover] = await runTogether(job.signal, (signal) => [
      analyseFirst(signal),
      track.cover_id ? null : createCover(services, track, header),
      render({ high: paths.high }, signal, shares.high),
    ])
    const { durationSeconds } = analysis
    const previewSeconds = Math.min(previewLengthSeconds, durationSeconds)
    const renditions = await Promise.all([
      store(services, track.id, 'standard', paths.standard, durationSeconds, null),
      store(services, track.id, 'high', paths.high, durationSeconds, null),
      store(services, track.id, 'preview', paths.preview, previewSeconds, previewLengthSeconds),
    ])
    return { header, analysis, renditions, cover }
  })
}

/** Combines the progress of several steps into one value. Each step is weighted by its share. */
function addUp(report: (share: number) => void): (share: number) => (done: number) => void {
  let sum = 0
  return (share) => {
    let before = 0
    return (done) => {
      sum += (done - before) * share
      before = done
      report(sum)
    }
  }
}

/** Stores one finished file under a new key, so a file that is being played never changes. */
export async function store(
  services: Pick<TrackFileServices, 'db' | 'storage'>,
  trackId: string,
  kind: Kind,
  path: string,
  durationSeconds: number,
  previewLengthSeconds: number | null,
): Promise<StoredRendition> {
  const storageKey = `audio/${trackId}/${kind}-${randomUUID()}.m4a`
  await reserveKeys(services.db, [storageKey])
  // Hash the file before the upload, so that corruption during the upload is detected.
  const sha256 = await hashFile(path)
  const stat = await services.storage.putFile(storageKey, path)
  return { kind, storageKey, durationSeconds, previewLengthSeconds, stat, sha256 }
}

/** Creates the cover from the picture embedded in the file. If there is none, draws one from the title. */
async function createCover(
  services: TrackFileServices,
  track: TrackRow,
  header: AudioHeader,
): Promise<StoredPicture> {
  const { pictures } = services
  if (header.embeddedCover) {
    try {
      const image = await processImage(header.embeddedCover, { kind: 'cover' })
      return await storePicture(pictures, image, 'cover')
    } catch (error) {
      // A broken embedded picture must not fail a valid recording.
      if (!(error instanceof MediaError)) throw error
    }
  }
  const painted = await renderCover({ title: track.title, artist: track.artist })
  return storePicture(pictures, painted, 'cover')
}
