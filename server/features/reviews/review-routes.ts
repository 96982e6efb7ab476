// Routes for reviews of creators' drafts.
import * as contract from '#contract/creators/reviews.ts'
import type { Route } from '../../platform/http/route.ts'
import {
  listOwnReviews,
  markReviewsSeen,
  submitReview,
  withdrawReview,
} from './own-review-operations.ts'
import {
  listReviews,
  publishReview,
  returnReview,
  type ReviewMailServices,
} from './review-operations.ts'

export function reviewRoutes(route: Route, services: ReviewMailServices): void {
  route(contract.listReviews, listReviews)
  route(contract.publishReview, (ctx, input) => publishReview(services, ctx, input))
  route(contract.returnReview, (ctx, input) => returnReview(services, ctx, input))
  route(contract.listOwnReviews, listOwnReviews)
  route(contract.submitReview, submitReview)
  route(contract.withdrawReview, withdrawReview)
  route(contract.markReviewsSeen, markReviewsSeen)
}
