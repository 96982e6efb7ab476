// Regenerates all files of a track from its recording at an admin's request.
import type * as contract from '#contract/admin/admin-tracks.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { lockTrack } from './admin-track-fields.ts'
import { findAdminTrack } from './admin-track-query.ts'

/** Processes a track again. Throws `track_not_found`, or `source_missing` if there is no intact recording. */
export async function processTrackAgain(
  services: { jobs: JobQueue; storage: Storage },
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.processTrackAgain>,
): Promise<Output<typeof contract.processTrackAgain>> {
  return transaction(ctx.db, async (trx) => {
    const { source_key } = await lockTrack(trx, params.id)
    if (source_key === null) throw new AppError('source_missing')
    const sourceFile = await trx.query
      .selectFrom('stored_files')
      .select('problem')
      .where('storage_key', '=', source_key)
      .executeTakeFirst()
    if (sourceFile?.problem || !(await services.storage.stat(source_key))) {
      throw new AppError('source_missing')
    }
    await services.jobs.enqueue(trx, 'process-track', { track_id: params.id })
    await writeAudit(ctx, trx, { action: 'retry', entity: 'track', entity_id: params.id })
    return findAdminTrack(trx, params.id)
  })
}
