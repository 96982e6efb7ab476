// Deletes and restores tracks. A deleted track is hidden from everyone immediately. Its plays, likes, files and
// playlist entries are kept until the deletion can no longer be undone.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/admin/admin-tracks.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { recordDeletion, claimDeletion } from '../deletions/pending-deletion.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { toAuditedTrack, lockTrack, getPublishedTrackColumns } from './admin-track-fields.ts'

/** The track's publication state before the deletion. */
interface DeletedTrackState {
  is_published: boolean
  publish_when_ready: boolean
}

export async function deleteTrack(ctx: MemberContext, id: string): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const before = await lockTrack(trx, id)
    const { is_published, publish_when_ready, cover_id } = before
    const kept: DeletedTrackState = { is_published, publish_when_ready }
    await recordDeletion(trx, { entity: 'track', entity_id: id, cover_id, kept })
    await trx.query
      .updateTable('tracks')
      .set({
        deleted_at: ctx.now().toISOString(),
        is_published: false,
        publish_when_ready: false,
      })
      .where('id', '=', id)
      .execute()
    await writeAudit(ctx, trx, {
      action: 'delete',
      entity: 'track',
      entity_id: id,
      before: toAuditedTrack(before),
    })
    await notify(trx, 'tracks', id)
  })
}

/** Restores tracks to their previous state. Tracks that someone else has already restored count as restored. */
export async function restoreTracks(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.restoreTracks>,
): Promise<Output<typeof contract.restoreTracks>> {
  await transaction(ctx.db, async (trx) => {
    // Restore in id order, so that two calls for the same tracks do not deadlock.
    for (const id of [...new Set(body.ids)].toSorted()) await restoreTrack(ctx, trx, id)
  })
  return { data: body.ids }
}

async function restoreTrack(ctx: MemberContext, trx: Transaction, id: string): Promise<void> {
  const track = await trx.query
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!track) throw new AppError('undo_expired', { details: { id } })
  if (track.deleted_at === null) return
  const kept = await claimDeletion<DeletedTrackState>(trx, { entity: 'track', entity_id: id })
  const isReady = track.processing_status === 'ready'
  const change = trx.query.updateTable('tracks').where('id', '=', id).returningAll()
  let restored = await change.set({ deleted_at: null, ...kept }).executeTakeFirstOrThrow()
  // Processing may have finished while the track was deleted. A separate update publishes the track in that case.
  if (kept.publish_when_ready && isReady) {
    restored = await change
      .set(getPublishedTrackColumns(track, ctx.now()))
      .executeTakeFirstOrThrow()
  }
  await writeAudit(ctx, trx, {
    action: 'restore',
    entity: 'track',
    entity_id: id,
    after: toAuditedTrack(restored),
  })
  await notify(trx, 'tracks', id)
}
