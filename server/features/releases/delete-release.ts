// Deletes and restores releases. A deleted release is hidden immediately. Its row with tracks, credits and likes is
// kept until the deletion can no longer be undone.
import type { AdminReleaseDetail } from '#contract/admin/admin-releases.ts'
import type * as contract from '#contract/admin/admin-releases.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { recordDeletion, claimDeletion } from '../deletions/pending-deletion.ts'
import { toAuditedRelease, findAdminRelease, lockRelease } from './admin-release-query.ts'

interface DeletedReleaseState {
  is_published: boolean
}

export async function deleteRelease(
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.deleteRelease>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const { is_published, cover_id } = await lockRelease(trx, id)
    const before = await findAdminRelease(trx, id)
    const kept: DeletedReleaseState = { is_published }
    await recordDeletion(trx, { entity: 'release', entity_id: id, cover_id, kept })
    await trx.query
      .updateTable('releases')
      .set({ deleted_at: ctx.now().toISOString(), is_published: false })
      .where('id', '=', id)
      .execute()
    await writeAudit(ctx, trx, {
      action: 'delete',
      entity: 'release',
      entity_id: id,
      before: toAuditedRelease(before),
    })
    await notify(trx, 'releases', id)
  })
}

/** Restores a release. If someone else has already restored it, does nothing. */
export async function restoreRelease(
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.restoreRelease>,
): Promise<AdminReleaseDetail> {
  return transaction(ctx.db, async (trx) => {
    const row = await trx.query
      .selectFrom('releases')
      .select('deleted_at')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new AppError('undo_expired')
    if (row.deleted_at === null) return findAdminRelease(trx, id)
    const { is_published } = await claimDeletion<DeletedReleaseState>(trx, {
      entity: 'release',
      entity_id: id,
    })
    await trx.query
      .updateTable('releases')
      .set({ deleted_at: null, is_published })
      .where('id', '=', id)
      .execute()
    const restored = await findAdminRelease(trx, id)
    await writeAudit(ctx, trx, {
      action: 'restore',
      entity: 'release',
      entity_id: id,
      after: toAuditedRelease(restored),
    })
    await notify(trx, 'releases', id)
    return restored
  })
}
