// Bulk edit of tracks: changes all tracks or none, writes one audit entry per track and sends one event for all.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/admin/admin-tracks.ts'
import { changedBy, refuseStale } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import type { TrackRow } from '../../platform/db/tables.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import {
  toAuditedTrack,
  pickEditableFields,
  computePublicationChanges,
  hasChangedTags,
  translateTrackConstraints,
} from './admin-track-fields.ts'
import { findAdminTrack } from './admin-track-query.ts'

type Change = ParsedInput<typeof contract.updateAdminTracks>['body']['changes'][number]

/**
 * Saves a bulk edit. Throws `track_not_found`, `track_not_ready`, `changed_meanwhile`, `release_in_past`,
 * `release_published`, `category_not_found` or `genre_not_found`; in these cases, nothing is changed.
 */
export async function updateAdminTracks(
  services: { jobs: JobQueue },
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.updateAdminTracks>,
): Promise<Output<typeof contract.updateAdminTracks>> {
  const ids = body.changes.map(({ id }) => id)
  await translateTrackConstraints(() =>
    transaction(ctx.db, async (trx) => {
      const rows = await lockTracks(trx, ids)
      const retagged: string[] = []
      for (const change of body.changes) {
        const before = rows.get(change.id)
        if (!before) throw new AppError('track_not_found', { details: { id: change.id } })
        await updateOne(ctx, trx, before, change)
        if (hasChangedTags(before, change)) retagged.push(change.id)
      }
      if (retagged.length > 0) await services.jobs.enqueueTracks(trx, 'retag-track', retagged)
      await notify(trx, 'tracks')
    }),
  )
  return { data: ids }
}

/** Locks the tracks' rows in id order, so that two edits of the same tracks do not deadlock. */
async function lockTracks(trx: Transaction, ids: string[]): Promise<Map<string, TrackRow>> {
  const rows = await trx.query
    .selectFrom('tracks')
    .selectAll()
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

async function updateOne(
  ctx: MemberContext,
  trx: Transaction,
  before: TrackRow,
  change: Change,
): Promise<void> {
  if (change.is_published && before.processing_status === 'failed') {
    throw new AppError('track_not_ready', { details: { id: before.id } })
  }
  const { id } = before
  await refuseStale(trx, before, change.version, () => findAdminTrack(trx, id), { id })
  const after = await trx.query
    .updateTable('tracks')
    .set({
      ...changedBy(ctx),
      ...pickEditableFields(change),
      ...(change.title === undefined ? {} : { title: change.title }),
      ...(change.artist === undefined ? {} : { artist: change.artist }),
      ...computePublicationChanges(before, change, ctx.now(), { id }),
      updated_at: ctx.now().toISOString(),
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await writeAudit(ctx, trx, {
    action: 'update',
    entity: 'track',
    entity_id: before.id,
    before: toAuditedTrack(before),
    after: toAuditedTrack(after),
  })
}
