// Stores a recording's measured sound and fingerprint, which are used to find similar and duplicate tracks.
import { sql } from 'kysely'
import type { Handle } from '../../../platform/db/database.ts'
import type { AudioAnalysis } from '../../../platform/ffmpeg/analyze-audio.ts'
import { encodeSoundVector, soundVersion } from '../../../platform/sound/sound-features.ts'
import { saveFingerprint } from '../track-fingerprints.ts'

type Measured = Pick<AudioAnalysis, 'features' | 'loudness' | 'durationSeconds'>

/**
 * `analysis` is null if the recording could not be read. A row is still stored, so that this version does not measure
 * the track again.
 */
export async function saveSound(
  db: Handle,
  trackId: string,
  analysis: Measured | null,
): Promise<void> {
  const features = analysis?.features ?? null
  const sound = {
    version: soundVersion,
    vector: features && encodeSoundVector(features.vector),
    tempo: features?.tempo ?? null,
    tempo_confidence: features?.tempoConfidence ?? 0,
    key: features?.key ?? null,
    is_minor: features?.isMinor ?? false,
    loudness_range: analysis?.loudness.rangeLu ?? null,
    measured_at: sql<string>`now()`,
  }
  await db.query
    .insertInto('track_sounds')
    .values({ track_id: trackId, ...sound })
    .onConflict((conflict) => conflict.column('track_id').doUpdateSet(sound))
    .execute()
}

export function saveMeasuredFingerprint(
  db: Handle,
  trackId: string,
  analysis: Measured | null,
): Promise<void> {
  const bytes = analysis?.features?.fingerprint ?? null
  return saveFingerprint(db, trackId, { seconds: analysis?.durationSeconds ?? 0, bytes })
}
