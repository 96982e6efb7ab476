// Measures the sound and the fingerprint of tracks for which they are missing or were measured by an older version.
// Tracks are measured one at a time, newest first.
import { sql } from 'kysely'
import { transaction, type Database } from '../../../platform/db/database.ts'
import { analyzeAudio } from '../../../platform/ffmpeg/analyze-audio.ts'
import { isPermanentMediaError } from '../../../platform/ffmpeg/media-error.ts'
import { probeAudio } from '../../../platform/ffmpeg/probe.ts'
import { fingerprintVersion } from '../../../platform/sound/fingerprint.ts'
import { soundVersion } from '../../../platform/sound/sound-features.ts'
import type { PlatformServices } from '../../../platform/start/platform-services.ts'
import { isStorageError } from '../../../platform/storage/storage.ts'
import { saveMeasuredFingerprint, saveSound } from './save-sound.ts'

type Services = Pick<PlatformServices, 'db' | 'storage' | 'ffmpeg' | 'jobs'>

/** Shorter than a job's maximum duration. Another job measures the remaining tracks. */
const limitMs = 3600_000
const pageSize = 20

/** Call this when a worker starts: only a new version of Velour leaves tracks unmeasured. */
export async function enqueueSoundMeasuring({
  db,
  jobs,
}: Pick<Services, 'db' | 'jobs'>): Promise<void> {
  if ((await findUnmeasured(db, 1)).length === 0) return
  await transaction(db, (trx) => jobs.enqueue(trx, 'measure-sounds', {}, { priority: -2 }))
}

export async function measureSounds(
  services: Services,
  job: { signal: AbortSignal },
): Promise<void> {
  const endMs = performance.now() + limitMs
  while (performance.now() < endMs) {
    const tracks = await findUnmeasured(services.db, pageSize)
    if (tracks.length === 0) return
    for (const track of tracks) {
      job.signal.throwIfAborted()
      await measureTrack(services, track, job.signal)
    }
  }
  await enqueueSoundMeasuring(services)
}

interface Unmeasured {
  id: string
  source_key: string
  /**
   * False if the sound must be measured too. If only the fingerprint is missing, similar tracks need not be recomputed.
   */
  has_sound: boolean
}

async function findUnmeasured(db: Database, limit: number): Promise<Unmeasured[]> {
  const { rows } = await sql<Unmeasured>`
    select t.id, t.source_key, coalesce(s.version, 0) >= ${soundVersion} as has_sound
      from tracks t
      left join track_sounds s on s.track_id = t.id
      left join track_fingerprints f on f.track_id = t.id
     where t.processing_status = 'ready' and t.source_key is not null and t.deleted_at is null
       and (coalesce(s.version, 0) < ${soundVersion} or coalesce(f.version, 0) < ${fingerprintVersion})
     order by t.created_at desc limit ${limit}`.execute(db.query)
  return rows
}

async function measureTrack(
  { db, storage, ffmpeg }: Services,
  { id, source_key, has_sound }: Unmeasured,
  signal: AbortSignal,
): Promise<void> {
  const measured = await storage
    .withLocalFile(source_key, async (path) =>
      analyzeAudio(ffmpeg, { ...(await probeAudio(path)), path }, { signal }),
    )
    .catch((error: unknown) => {
      if (signal.aborted) throw error
      // Ignore a damaged or missing file here: it is reported when the file is played or checked.
      if (isPermanentMediaError(error) || isStorageError(error, 'not_found')) return null
      throw error
    })
  await transaction(db, async (trx) => {
    const current = await trx.query
      .selectFrom('tracks')
      .select('source_key')
      .where('id', '=', id)
      .forShare()
      .executeTakeFirst()
    // Do not save: the track was deleted, or another job measures its new recording.
    if (current?.source_key !== source_key) return
    if (!has_sound) await saveSound(trx, id, measured)
    await saveMeasuredFingerprint(trx, id, measured)
  })
}
