// A creator's own reviews: submits a draft for review, withdraws the review, and lists the results.
import { sql } from 'kysely'
import type * as contract from '#contract/creators/reviews.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { lockRelease } from '../releases/admin-release-query.ts'
import { lockTrack } from '../tracks/admin-track-fields.ts'
import { findOwnReview, isNew, selectOwnReviews } from './review-query.ts'

export async function listOwnReviews(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listOwnReviews>,
): Promise<Output<typeof contract.listOwnReviews>> {
  const counts = await ctx.db.query
    .selectFrom('reviews as w')
    .select([
      sql<number>`count(*) filter (where ${query.item_id ?? null}::uuid is null or item_id = ${query.item_id ?? null})`.as(
        'total',
      ),
      sql<number>`count(*) filter (where ${isNew})`.as('new_count'),
    ])
    .where('w.owner_id', '=', ctx.actor.user_id)
    .executeTakeFirstOrThrow()
  const data = await selectOwnReviews(ctx.db)
    .where('w.owner_id', '=', ctx.actor.user_id)
    .$if(query.item_id !== undefined, (reviews) =>
      reviews.where('w.item_id', '=', query.item_id ?? ''),
    )
    .orderBy('w.id', 'desc')
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size)
    .execute()
  const { total, new_count } = counts
  return { data, pagination: paginate(query, total), new_count }
}

/**
 * Submits a draft for review. Throws `review_locked` if the item is not a draft or has a pending review,
 * `track_not_ready` if the processing of a track failed, and `release_empty`.
 */
export async function submitReview(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.submitReview>,
): Promise<Output<typeof contract.submitReview>> {
  return transaction(ctx.db, async (trx) => {
    const item =
      'track_id' in body
        ? await lockTrackDraft(ctx, trx, body.track_id)
        : await lockReleaseDraft(ctx, trx, body.release_id)
    const review = await trx.query
      .insertInto('reviews')
      .values({ ...item, owner_id: ctx.actor.user_id, note: body.note })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!review) throw new AppError('review_locked')
    await recordReview(ctx, trx, item, { review: 'waiting' })
    return findOwnReview(trx, review.id)
  })
}

interface ReviewedItem {
  kind: 'track' | 'release'
  item_id: string
  title: string
}

async function lockTrackDraft(
  { actor }: MemberContext,
  trx: Transaction,
  id: string,
): Promise<ReviewedItem> {
  const track = await lockTrack(trx, id)
  // Only the owner may submit a track. Even admins may not submit it for the owner.
  if (track.owner_id !== actor.user_id) throw new AppError('track_not_found')
  if (track.is_published || track.publish_when_ready || track.release_at !== null) {
    throw new AppError('review_locked')
  }
  if (track.processing_status === 'failed') throw new AppError('track_not_ready')
  return { kind: 'track', item_id: track.id, title: track.title }
}

async function lockReleaseDraft(
  { actor }: MemberContext,
  trx: Transaction,
  id: string,
): Promise<ReviewedItem> {
  const release = await lockRelease(trx, id)
  if (release.owner_id !== actor.user_id) throw new AppError('release_not_found')
  if (release.is_published || release.release_at !== null) throw new AppError('review_locked')
  // Lock the tracks of the release, so that no track changes between this check and the insertion of the review.
  const tracks = await trx.query
    .selectFrom('tracks')
    .select('processing_status')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('release_tracks').select('track_id').where('release_id', '=', id),
    )
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (tracks.length === 0) throw new AppError('release_empty')
  if (tracks.some(({ processing_status }) => processing_status === 'failed')) {
    throw new AppError('track_not_ready')
  }
  return { kind: 'release', item_id: release.id, title: release.title }
}

/** Withdraws a pending review. Throws `not_found`, and `conflict` if the review is not pending. */
export async function withdrawReview(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.withdrawReview>,
): Promise<Output<typeof contract.withdrawReview>> {
  return transaction(ctx.db, async (trx) => {
    const review = await trx.query
      .selectFrom('reviews')
      .select(['kind', 'item_id', 'state'])
      .where('id', '=', params.id)
      .where('owner_id', '=', ctx.actor.user_id)
      .forUpdate()
      .executeTakeFirst()
    if (!review) throw new AppError('not_found')
    if (review.state !== 'waiting') throw new AppError('conflict')
    await trx.query
      .updateTable('reviews')
      .set({ state: 'withdrawn', decided_at: ctx.now().toISOString() })
      .where('id', '=', params.id)
      .execute()
    await recordReview(ctx, trx, review, { review: 'withdrawn' })
    return findOwnReview(trx, params.id)
  })
}

export async function markReviewsSeen(ctx: MemberContext): Promise<void> {
  await ctx.db.query
    .updateTable('reviews')
    .set({ seen_at: ctx.now().toISOString() })
    .where('owner_id', '=', ctx.actor.user_id)
    .where('state', '!=', 'waiting')
    .where('seen_at', 'is', null)
    .execute()
}

/** Writes the audit entry of a review and emits the event that refreshes open screens. */
export async function recordReview(
  ctx: MemberContext,
  trx: Transaction,
  { kind, item_id }: Pick<ReviewedItem, 'kind' | 'item_id'>,
  after: { review: string; answer?: string },
): Promise<void> {
  await writeAudit(ctx, trx, { action: 'update', entity: kind, entity_id: item_id, after })
  await notify(trx, 'reviews')
}
