// Detects recordings that are already in the library: the same file, the same song of a generator, or the same sound.
// For a creator, only the creator's own tracks are compared, so that nothing is revealed about others' tracks.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/admin/track-imports.ts'
import { lockByName, lockNames } from '../../platform/db/advisory-locks.ts'
import type { Handle, Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Actor, MemberContext } from '../../platform/operations/context.ts'
import { visibleToStaff } from '../ownership/owned-by.ts'
import type { FileOrigin } from './extract-origin.ts'
import { findSameSound, type MeasuredFingerprint } from './track-fingerprints.ts'

/**
 * Rejects a file that is already in the library. A lock serializes concurrent imports of the same file, so the second
 * import finds the first one's track.
 */
export async function rejectKnownRecording(
  trx: Transaction,
  actor: Actor,
  sha256: string,
): Promise<void> {
  await lockByName(trx, lockNames.recording(sha256))
  const match = await findRecording(trx, actor, sha256)
  if (match) throw new AppError('track_exists', { details: { ...match, by: 'recording' } })
}

/** The oldest track with a recording of this hash. */
export function findRecording(db: Handle, actor: Actor, sha256: string) {
  return db.query
    .selectFrom('tracks')
    .select(['id', 'title'])
    .where('source_sha256', '=', sha256)
    .where(visibleToStaff(actor, 'owner_id'))
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Rejects a recording that sounds like one in the library. A lock serializes concurrent imports that sound the same, so
 * the second import finds the first one's track.
 */
export async function rejectSameSound(
  trx: Transaction,
  actor: Actor,
  fingerprint: MeasuredFingerprint,
): Promise<void> {
  await lockByName(trx, lockNames.fingerprints())
  const match = await findSameSound(trx, fingerprint, visibleToStaff(actor, 't.owner_id'))
  if (match) throw new AppError('track_exists', { details: { ...match, by: 'sound' } })
}

/**
 * Rejects a song of a generator that is already in the library. The generator gives each song an id, which is the same
 * in every file format. Stems and remasters have their own ids.
 */
export async function rejectKnownSource(
  trx: Transaction,
  actor: Actor,
  { tool, source_id }: FileOrigin,
): Promise<void> {
  await lockByName(trx, lockNames.sourceSong(String(source_id)))
  const match = await trx.query
    .selectFrom('track_origins as o')
    .innerJoin('tracks as t', 't.id', 'o.track_id')
    .select(['t.id', 't.title'])
    .where('o.source_id', '=', source_id)
    .where('o.tool', '=', tool)
    .where(visibleToStaff(actor, 't.owner_id'))
    .where('t.deleted_at', 'is', null)
    .orderBy('t.created_at')
    .limit(1)
    .executeTakeFirst()
  if (match) throw new AppError('track_exists', { details: { ...match, by: 'source' } })
}

/** Returns the existing track for each file hash that is in the library. */
export async function findTracksByHash(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.findTracksByHash>,
): Promise<Output<typeof contract.findTracksByHash>> {
  const data = await ctx.db.query
    .selectFrom('tracks')
    .distinctOn('source_sha256')
    .select([sql<string>`source_sha256`.as('sha256'), 'id', 'title', 'artist'])
    .where('source_sha256', 'in', body.sha256)
    .where(visibleToStaff(ctx.actor, 'owner_id'))
    .where('deleted_at', 'is', null)
    .orderBy('source_sha256')
    .orderBy('created_at')
    .execute()
  return { data }
}
