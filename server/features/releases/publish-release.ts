// Publishing a release, alone or with its tracks.
import type { AdminReleaseDetail } from '#contract/admin/admin-releases.ts'
import type * as contract from '#contract/admin/admin-releases.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { changedBy } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit, writeAuditEntries } from '../../platform/audit/write-audit.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { publication } from '../tracks/admin-track-fields.ts'
import { findAdminRelease, lockRelease } from './admin-release-query.ts'

/** Throws `release_empty` if members would see no track of it, now or later. */
export async function publishRelease(
  ctx: MemberContext,
  { params: { id }, body }: ParsedInput<typeof contract.publishRelease>,
): Promise<AdminReleaseDetail> {
  return transaction(ctx.db, async (trx) => {
    await lockRelease(trx, id)
    const publishedCount = body.publish_tracks ? await publishTracks(ctx, trx, id) : 0
    const { published_count } = await findAdminRelease(trx, id)
    if (published_count + publishedCount === 0) throw new AppError('release_empty')
    return setPublished(ctx, trx, id, true)
  })
}

export async function unpublishRelease(
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.unpublishRelease>,
): Promise<AdminReleaseDetail> {
  return transaction(ctx.db, async (trx) => {
    await lockRelease(trx, id)
    return setPublished(ctx, trx, id, false)
  })
}

async function setPublished(
  ctx: MemberContext,
  trx: Transaction,
  id: string,
  is_published: boolean,
) {
  await trx.query
    .updateTable('releases')
    .set({ is_published, ...changedBy(ctx), updated_at: ctx.now().toISOString() })
    .where('id', '=', id)
    .execute()
  await writeAudit(ctx, trx, {
    action: is_published ? 'publish' : 'unpublish',
    entity: 'release',
    entity_id: id,
  })
  await notify(trx, 'releases', id)
  return findAdminRelease(trx, id)
}

/** Returns how many are published now or will be. Those whose processing failed stay as they are. */
async function publishTracks(ctx: MemberContext, trx: Transaction, id: string): Promise<number> {
  // In id order, so that two edits of the same tracks do not deadlock.
  const tracks = await trx.query
    .selectFrom('tracks')
    .selectAll()
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('release_tracks').select('track_id').where('release_id', '=', id),
    )
    .where('deleted_at', 'is', null)
    .where('is_published', '=', false)
    .where('processing_status', '<>', 'failed')
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const track of tracks) {
    await trx.query
      .updateTable('tracks')
      .set({
        ...publication(track, true),
        ...changedBy(ctx),
        updated_at: ctx.now().toISOString(),
      })
      .where('id', '=', track.id)
      .execute()
  }
  await writeAuditEntries(
    ctx,
    trx,
    tracks.map((track) => ({ action: 'publish', entity: 'track', entity_id: track.id })),
  )
  if (tracks.length > 0) await notify(trx, 'tracks')
  return tracks.length
}
