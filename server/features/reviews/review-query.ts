// The SELECTs for reviews, with the columns of the API responses.
import { sql } from 'kysely'
import type { AdminReview, OwnReview } from '#contract/creators/reviews.ts'
import type { Handle } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'

const shown = [
  'w.id',
  'w.kind',
  'w.item_id',
  'w.title',
  'w.note',
  'w.state',
  'w.answer',
  'w.submitted_at',
  'w.decided_at',
] as const

/** Whether there is a decision that the owner has not seen yet. */
export const isNew = sql<boolean>`(w.state in ('published', 'returned') and w.seen_at is null)`

export function selectOwnReviews(handle: Handle) {
  return handle.query.selectFrom('reviews as w').select([...shown, isNew.as('is_new')])
}

export function selectAdminReviews(handle: Handle) {
  return handle.query
    .selectFrom('reviews as w')
    .innerJoin('profiles as p', 'p.id', 'w.owner_id')
    .select([...shown, 'w.owner_id', 'p.display_name as owner_name'])
}

/** Throws `not_found`. */
export async function findAdminReview(handle: Handle, id: string): Promise<AdminReview> {
  const review = await selectAdminReviews(handle).where('w.id', '=', id).executeTakeFirst()
  if (!review) throw new AppError('not_found')
  return review
}

/** Throws `not_found`. */
export async function findOwnReview(handle: Handle, id: string): Promise<OwnReview> {
  const review = await selectOwnReviews(handle).where('w.id', '=', id).executeTakeFirst()
  if (!review) throw new AppError('not_found')
  return review
}
