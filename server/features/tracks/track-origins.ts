// The private record of how a track was made. Only admins read it; the public disclosure is a field of the track.
import { deriveDisclosure } from '#contract/fields/origin-parts.ts'
import type { TrackOrigin } from '#contract/admin/track-origins.ts'
import type * as contract from '#contract/admin/track-origins.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { changedBy, refuseStale } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import type { TrackRow } from '../../platform/db/tables.ts'
import { notify } from '../../platform/events/event-bus.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { lockTrack, hasChangedTags } from './admin-track-fields.ts'
import { findAdminTrack } from './admin-track-query.ts'

type Changes = ParsedInput<typeof contract.updateTrackOrigin>['body']

const noOrigin: TrackOrigin = {
  tool: null,
  model: null,
  plan_at_creation: null,
  created_at_source: null,
  source_id: null,
  source_url: null,
  prompt: null,
  style: null,
  negative_style: null,
  seed: null,
  parts: {},
  rights_note: null,
  version: 0,
}

export async function getTrackOrigin(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.getTrackOrigin>,
): Promise<Output<typeof contract.getTrackOrigin>> {
  await findAdminTrack(ctx.db, params.id)
  return readOrigin(ctx.db, params.id)
}

/** Saves the record. The audit entry names the changed fields, not their values. */
export async function updateTrackOrigin(
  services: { jobs: JobQueue },
  ctx: MemberContext,
  { params: { id }, body }: ParsedInput<typeof contract.updateTrackOrigin>,
): Promise<Output<typeof contract.updateTrackOrigin>> {
  const { version, ...changes } = body
  return transaction(ctx.db, async (trx) => {
    // Locking the track's row also prevents two requests from creating the record concurrently.
    const track = await lockTrack(trx, id)
    const row = await findRow(trx, id)
    const current = { version: 0, changed_by: null, changed_at: null, ...row }
    await refuseStale(trx, current, version, () => readOrigin(trx, id))
    const origin = await saveOrigin(services, ctx, trx, { track, changes })
    await notify(trx, 'tracks', id)
    return origin
  })
}

/**
 * Saves the records of many tracks. Unlike in the edit of a single track, fields that are not given keep their values.
 * Throws `track_not_found`.
 */
export async function updateTrackOrigins(
  services: { jobs: JobQueue },
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.updateTrackOrigins>,
): Promise<Output<typeof contract.updateTrackOrigins>> {
  const { ids, ...changes } = body
  // Lock in id order, so that two calls for the same tracks do not deadlock.
  const sorted = [...new Set(ids.map((id) => id.toLowerCase()))].toSorted()
  await transaction(ctx.db, async (trx) => {
    for (const id of sorted) {
      const track = await lockTrack(trx, id)
      const parts = changes.parts && { ...(await readOrigin(trx, id)).parts, ...changes.parts }
      await saveOrigin(services, ctx, trx, { track, changes: { ...changes, parts } })
    }
    await notify(trx, 'tracks')
  })
  return { data: ids }
}

interface OriginChange {
  /** The track's row, locked by the caller. */
  track: TrackRow
  changes: Omit<Changes, 'version'>
}

async function saveOrigin(
  services: { jobs: JobQueue },
  ctx: MemberContext,
  trx: Transaction,
  { track, changes }: OriginChange,
): Promise<TrackOrigin> {
  const { id } = track
  const { update_disclosure, ...fields } = changes
  const columns = {
    ...removeEmpty(fields),
    ...changedBy(ctx),
    updated_at: ctx.now().toISOString(),
  }
  await trx.query
    .insertInto('track_origins')
    .values({ track_id: id, ...columns })
    .onConflict((conflict) => conflict.column('track_id').doUpdateSet(columns))
    .execute()
  const origin = await readOrigin(trx, id)
  if (update_disclosure) await discloseOrigin(services, ctx, trx, track, origin)
  const changed = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  )
  await writeAudit(ctx, trx, {
    action: 'update',
    entity: 'track',
    entity_id: id,
    after: { origin: changed.toSorted() },
  })
  return origin
}

function findRow(handle: Handle, id: string) {
  return handle.query
    .selectFrom('track_origins')
    .selectAll()
    .where('track_id', '=', id)
    .executeTakeFirst()
}

async function readOrigin(handle: Handle, id: string): Promise<TrackOrigin> {
  const row = await findRow(handle, id)
  if (!row) return noOrigin
  const { track_id: _, changed_by: __, changed_at: ___, updated_at: ____, ...origin } = row
  return origin
}

function removeEmpty({ parts, ...texts }: Omit<Changes, 'update_disclosure' | 'version'>) {
  const given = Object.entries(texts).filter(([, value]) => value !== undefined)
  return {
    ...(Object.fromEntries(given.map(([name, value]) => [name, value || null])) as Partial<
      Omit<typeof noOrigin, 'parts' | 'version'>
    >),
    ...(parts && { parts: JSON.stringify(parts) }),
  }
}

/** Updates the track's public disclosure: whether and how AI was used, and with which tool. */
async function discloseOrigin(
  services: { jobs: JobQueue },
  ctx: MemberContext,
  trx: Transaction,
  track: TrackRow,
  { parts, tool, model }: TrackOrigin,
): Promise<void> {
  const disclosure = deriveDisclosure(parts)
  const publicFields = {
    ...(disclosure && { ai_disclosure: disclosure }),
    ...(tool && { ai_tool: [tool, model].filter(Boolean).join(' ').slice(0, 200) }),
  }
  if (!hasChangedTags(track, publicFields)) return
  await trx.query
    .updateTable('tracks')
    .set({ ...publicFields, ...changedBy(ctx), updated_at: ctx.now().toISOString() })
    .where('id', '=', track.id)
    .execute()
  await services.jobs.enqueue(trx, 'retag-track', { track_id: track.id })
}
