// Release proposals for admins: listing, confirming and dismissing them.
import type * as contract from '#contract/admin/admin-releases.ts'
import type { ReleaseProposal } from '#contract/admin/admin-releases.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { lockByName, lockNames } from '../../platform/db/advisory-locks.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { findProposals } from './find-proposals.ts'
import { insertRelease } from './insert-release.ts'
import { publishReleaseInTransaction } from './publish-release.ts'
import { selectAdminReleases } from './release-query.ts'

export async function listReleaseProposals(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listReleaseProposals>,
): Promise<Output<typeof contract.listReleaseProposals>> {
  return { data: await findProposals(ctx.db, ctx.actor, query.batch) }
}

/** Confirms all proposals or none. If two people confirm the same proposal, the second gets `conflict`. */
export async function confirmReleaseProposals(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.confirmReleaseProposals>,
): Promise<Output<typeof contract.confirmReleaseProposals>> {
  return transaction(ctx.db, async (trx) => {
    const ids: string[] = []
    for (const { title, kind, artist, year, label, tracks } of await lockProposals(
      ctx,
      trx,
      body.keys,
    )) {
      const id = await insertRelease(ctx, trx, {
        title,
        kind,
        artists: [{ name: artist }],
        // Tags contain only the year, so use the first day of that year.
        label,
        release_date: year === null ? null : `${year}-01-01`,
        tracks,
      })
      if (body.publish && (await hasPublishableTrack(trx, id))) {
        await publishReleaseInTransaction(ctx, trx, id, { publish_tracks: true })
      }
      ids.push(id)
    }
    const data = await selectAdminReleases(trx).where('r.id', 'in', ids).orderBy('r.id').execute()
    return { data }
  })
}

/**
 * Whether publishing the release would publish a track. False if the processing of all tracks failed, or if all tracks
 * have their own release date.
 */
async function hasPublishableTrack(trx: Transaction, releaseId: string): Promise<boolean> {
  const row = await trx.query
    .selectFrom('release_tracks as e')
    .innerJoin('tracks as t', 't.id', 'e.track_id')
    .select('t.id')
    .where('e.release_id', '=', releaseId)
    .where('t.deleted_at', 'is', null)
    .where('t.processing_status', '<>', 'failed')
    .where('t.release_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Dismisses proposals, so that their tracks are no longer proposed. */
export async function dismissReleaseProposals(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.dismissReleaseProposals>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const dismissed = await lockProposals(ctx, trx, body.keys)
    await trx.query
      .updateTable('track_file_tags')
      .set({ dismissed_at: ctx.now().toISOString() })
      .where(
        'track_id',
        'in',
        dismissed.flatMap(({ tracks }) => tracks.map(({ track_id }) => track_id)),
      )
      .execute()
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'release',
      after: { dismissed_proposals: dismissed.map(({ title }) => title) },
    })
  })
}

/**
 * Returns the proposals with these keys, and locks all proposals until the transaction ends. Throws `conflict` if one
 * no longer exists.
 */
async function lockProposals(
  { actor }: MemberContext,
  trx: Transaction,
  keys: readonly string[],
): Promise<ReleaseProposal[]> {
  await lockByName(trx, lockNames.releaseProposals())
  const proposals = new Map((await findProposals(trx, actor)).map((found) => [found.key, found]))
  return [...new Set(keys)].map((key) => {
    const found = proposals.get(key)
    if (!found) throw new AppError('conflict')
    return found
  })
}
