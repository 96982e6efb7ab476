// Reviews for editors: lists the reviews in a state, and publishes or returns their drafts.
import { sql } from 'kysely'
import type { AdminReview } from '#contract/creators/reviews.ts'
import type * as contract from '#contract/creators/reviews.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import type { Config } from '../../platform/config/config.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { enqueueMail } from '../../platform/mail/mail-queue.ts'
import { reviewPublishedMail, reviewReturnedMail } from '../../platform/mail/review-mails.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import type { Branding } from '../settings/branding.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { publishReleaseInTransaction } from '../releases/publish-release.ts'
import { publishTrackInTransaction } from '../tracks/admin-track-operations.ts'
import { recordReview } from './own-review-operations.ts'
import { selectAdminReviews, findAdminReview } from './review-query.ts'

export interface ReviewMailServices {
  config: Pick<Config, 'publicUrl'>
  branding: () => Pick<Branding, 'brand_name'>
  jobs: Pick<JobQueue, 'enqueue'>
  secretBox: SecretBox
  now: () => Date
}

export async function listReviews(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listReviews>,
): Promise<Output<typeof contract.listReviews>> {
  const { total } = await ctx.db.query
    .selectFrom('reviews')
    .select(sql<number>`count(*)`.as('total'))
    .where('state', '=', query.state)
    .executeTakeFirstOrThrow()
  const data = await selectAdminReviews(ctx.db)
    .where('w.state', '=', query.state)
    .orderBy('w.submitted_at', query.state === 'waiting' ? 'asc' : 'desc')
    .orderBy('w.id')
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size)
    .execute()
  return { data, pagination: paginate(query, total) }
}

/** Publishes the reviewed draft. Throws the errors of publishing, and `conflict` if the review is no longer pending. */
export async function publishReview(
  services: ReviewMailServices,
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.publishReview>,
): Promise<AdminReview> {
  return transaction(ctx.db, async (trx) => {
    const { kind, item_id } = await lockWaiting(trx, params.id)
    if (kind === 'track') await publishTrackInTransaction(ctx, trx, item_id)
    else await publishReleaseInTransaction(ctx, trx, item_id, { publish_tracks: true })
    return decide(services, ctx, trx, params.id, { state: 'published' })
  })
}

/**
 * Returns the draft to its creator with a reply. Throws `not_found`, and `conflict` if the review is no longer pending.
 */
export async function returnReview(
  services: ReviewMailServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.returnReview>,
): Promise<AdminReview> {
  return transaction(ctx.db, async (trx) => {
    const review = await lockWaiting(trx, params.id)
    await recordReview(ctx, trx, review, { review: 'returned', answer: body.answer })
    return decide(services, ctx, trx, params.id, { state: 'returned', answer: body.answer })
  })
}

/**
 * Locks and returns a pending review. Locks the track or release before its review, in the same order as publishing
 * without a review.
 */
async function lockWaiting(trx: Transaction, id: string) {
  const { kind, item_id } = await findAdminReview(trx, id)
  await trx.query
    .selectFrom(kind === 'track' ? 'tracks' : 'releases')
    .select('id')
    .where('id', '=', item_id)
    .forUpdate()
    .execute()
  const review = await trx.query
    .selectFrom('reviews')
    .select(['kind', 'item_id', 'state'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!review) throw new AppError('not_found')
  if (review.state !== 'waiting') throw new AppError('conflict')
  return review
}

async function decide(
  services: ReviewMailServices,
  ctx: MemberContext,
  trx: Transaction,
  id: string,
  decision: { state: 'published' | 'returned'; answer?: string },
): Promise<AdminReview> {
  await trx.query
    .updateTable('reviews')
    .set({
      ...decision,
      decided_at: ctx.now().toISOString(),
      decided_by: ctx.actor.user_id,
    })
    .where('id', '=', id)
    .execute()
  await notify(trx, 'reviews')
  const review = await findAdminReview(trx, id)
  await mailOwner(services, trx, review)
  return review
}

/**
 * Emails the decision to the owner of the draft, in the same transaction. An editor who decides on their own draft gets
 * no email.
 */
async function mailOwner(
  services: ReviewMailServices,
  trx: Transaction,
  { id, owner_id, title, state, answer }: AdminReview,
): Promise<void> {
  const owner = await trx.query
    .selectFrom('profiles')
    .select('email')
    .where('id', '=', owner_id)
    .where('banned_at', 'is', null)
    .where('is_demo', '=', false)
    .where('id', 'not in', (query) =>
      query
        .selectFrom('reviews')
        .select('decided_by')
        .where('id', '=', id)
        .where('decided_by', 'is not', null)
        .$narrowType<{ decided_by: string }>(),
    )
    .executeTakeFirst()
  if (!owner) return
  const { config, branding } = services
  const site = { publicUrl: config.publicUrl, brandName: branding().brand_name }
  const write = state === 'published' ? reviewPublishedMail : reviewReturnedMail
  const mail = write(owner.email, site, { title, note: answer ?? '' })
  await enqueueMail(trx, services, mail)
}
