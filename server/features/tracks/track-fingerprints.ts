// Stores the acoustic fingerprints of tracks, and finds the track that sounds the same as a given recording.
import type { RawBuilder } from 'kysely'
import type { Handle } from '../../platform/db/database.ts'
import {
  createFingerprintComparison,
  fingerprintVersion,
} from '../../platform/sound/fingerprint.ts'

export interface MeasuredFingerprint {
  /** Duration of the whole recording. */
  seconds: number
  /** Null if the recording has no fingerprint. */
  bytes: Uint8Array | null
}

/**
 * Maximum difference in duration of two files of one recording. Durations in the headers of encoded files are inexact,
 * and exports trim or add silence.
 */
const maxSecondsApart = 7
/** Number of fingerprints compared per query. Other requests are served between two pages. */
const pageSize = 100

export async function saveFingerprint(
  db: Handle,
  trackId: string,
  { seconds, bytes }: MeasuredFingerprint,
): Promise<void> {
  const fingerprint = bytes && Buffer.from(bytes)
  const values = { version: fingerprintVersion, seconds, fingerprint }
  await db.query
    .insertInto('track_fingerprints')
    .values({ track_id: trackId, ...values })
    .onConflict((conflict) => conflict.column('track_id').doUpdateSet(values))
    .execute()
}

/** Finds the most similar track among those that match the condition (on `t`). Null if none is the same recording. */
export async function findSameSound(
  db: Handle,
  { seconds, bytes }: MeasuredFingerprint,
  isCompared: RawBuilder<boolean>,
): Promise<{ id: string; title: string } | null> {
  if (bytes === null) return null
  const comparison = createFingerprintComparison(bytes)
  const ids = await findOfLength(db, seconds, isCompared)
  let best: { id: string; difference: number } | null = null
  for (let at = 0; at < ids.length; at += pageSize) {
    const rows = await db.query
      .selectFrom('track_fingerprints')
      .select(['track_id', 'fingerprint'])
      .where('track_id', 'in', ids.slice(at, at + pageSize))
      .execute()
    for (const { track_id, fingerprint } of rows) {
      const difference = fingerprint && comparison.compare(fingerprint)
      if (difference !== null && difference < (best?.difference ?? 1)) {
        best = { id: track_id, difference }
      }
    }
  }
  if (!best) return null
  const track = await db.query
    .selectFrom('tracks')
    .select(['id', 'title'])
    .where('id', '=', best.id)
    .executeTakeFirst()
  return track ?? null
}

async function findOfLength(
  db: Handle,
  seconds: number,
  isCompared: RawBuilder<boolean>,
): Promise<string[]> {
  const rows = await db.query
    .selectFrom('track_fingerprints as f')
    .innerJoin('tracks as t', 't.id', 'f.track_id')
    .select('f.track_id')
    .where('f.seconds', '>=', seconds - maxSecondsApart)
    .where('f.seconds', '<=', seconds + maxSecondsApart)
    .where('f.fingerprint', 'is not', null)
    .where('f.version', '=', fingerprintVersion)
    .where('t.deleted_at', 'is', null)
    .where(isCompared)
    .execute()
  return rows.map(({ track_id }) => track_id)
}
