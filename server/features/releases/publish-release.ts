// Publishes a release, alone or together with its tracks.
import type { Selectable } from 'kysely'
import type { AdminReleaseDetail } from '#contract/admin/admin-releases.ts'
import type * as contract from '#contract/admin/admin-releases.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { changedBy } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit, writeAuditEntries } from '../../platform/audit/write-audit.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { getPublishedColumns } from '../availability/change-availability.ts'
import { computePublicationChanges } from '../tracks/admin-track-fields.ts'
import { findAdminRelease, lockRelease } from './admin-release-query.ts'
import {
  applyFirstRule,
  lockReleaseTracks,
  toRule,
  serviceAuthor,
  type ChangeAuthor,
} from './release-rule.ts'

/**
 * Publishes a release, with its tracks if requested. Throws `release_empty` if members would see none of its tracks,
 * now or later.
 */
export async function publishRelease(
  ctx: MemberContext,
  { params: { id }, body }: ParsedInput<typeof contract.publishRelease>,
): Promise<AdminReleaseDetail> {
  return transaction(ctx.db, (trx) => publishReleaseInTransaction(ctx, trx, id, body))
}

/** Like publishRelease, but within the caller's transaction. Throws `release_not_found`, `release_empty`. */
export async function publishReleaseInTransaction(
  ctx: MemberContext,
  trx: Transaction,
  id: string,
  body: ParsedInput<typeof contract.publishRelease>['body'],
): Promise<AdminReleaseDetail> {
  const release = await lockRelease(trx, id)
  const withTracks = body.publish_tracks
  const publishedCount = await publishLockedRelease(trx, ctx, release, {
    from: ctx.now(),
    withTracks,
  })
  const published = await findAdminRelease(trx, id)
  if (published.published_count + publishedCount === 0) throw new AppError('release_empty')
  return published
}

export async function unpublishRelease(
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.unpublishRelease>,
): Promise<AdminReleaseDetail> {
  return transaction(ctx.db, async (trx) => {
    await lockRelease(trx, id)
    await trx.query
      .updateTable('releases')
      .set({
        is_published: false,
        release_at: null,
        ...changedBy(ctx),
        updated_at: ctx.now().toISOString(),
      })
      .where('id', '=', id)
      .execute()
    await writeAudit(ctx, trx, { action: 'unpublish', entity: 'release', entity_id: id })
    await notify(trx, 'releases', id)
    return findAdminRelease(trx, id)
  })
}

interface Publication {
  /** The time at which early access starts. */
  from: Date
  withTracks: boolean
  /** Additional columns of the release to set. */
  more?: { release_date?: string }
  /** The new values for the audit entry. */
  after?: unknown
}

/**
 * Publishes a locked release, manually or on its date, and applies its availability rule to its tracks. Returns how
 * many tracks are published with it, including those that will be published once they are processed.
 */
export async function publishLockedRelease(
  trx: Transaction,
  author: ChangeAuthor,
  release: Selectable<Tables['releases']>,
  { from, withTracks, more, after }: Publication,
): Promise<number> {
  const { id, release_zone, is_published } = release
  const columns = getPublishedColumns(release, from)
  const now = author?.now() ?? new Date()
  await lockReleaseTracks(trx, id)
  if (!is_published) {
    const to = { ...toRule(release), early_access_until: columns.early_access_until }
    await applyFirstRule(trx, author, id, { to, zone: release_zone, now })
  }
  const count = withTracks ? await publishTracks(trx, author, id, { from, now }) : 0
  await trx.query
    .updateTable('releases')
    .set({
      ...columns,
      ...more,
      is_published: true,
      ...(author && changedBy(author)),
      updated_at: now.toISOString(),
    })
    .where('id', '=', id)
    .execute()
  await writeAudit(author ?? serviceAuthor, trx, {
    action: 'publish',
    entity: 'release',
    entity_id: id,
    ...(after !== undefined && { after }),
  })
  await notify(trx, 'releases', id)
  return count
}

/**
 * Publishes the tracks of a release. Returns how many are published now or after processing. Tracks whose processing
 * failed are not changed.
 */
async function publishTracks(
  trx: Transaction,
  author: ChangeAuthor,
  id: string,
  { from, now }: { from: Date; now: Date },
): Promise<number> {
  const tracks = await trx.query
    .selectFrom('tracks')
    .selectAll()
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('release_tracks').select('track_id').where('release_id', '=', id),
    )
    .where('deleted_at', 'is', null)
    .where('is_published', '=', false)
    .where('processing_status', '<>', 'failed')
    // Leave out tracks with their own release date.
    .where('release_at', 'is', null)
    .execute()
  for (const track of tracks) {
    await trx.query
      .updateTable('tracks')
      .set({
        ...computePublicationChanges(track, { is_published: true }, from),
        ...(author && changedBy(author)),
        updated_at: now.toISOString(),
      })
      .where('id', '=', track.id)
      .execute()
  }
  await writeAuditEntries(
    author ?? serviceAuthor,
    trx,
    tracks.map((track) => ({ action: 'publish', entity: 'track', entity_id: track.id })),
  )
  if (tracks.length > 0) await notify(trx, 'tracks')
  return tracks.length
}
