// Reviews: a creator submits a draft, and an editor publishes it or returns it with a note. The creator cannot change
// the draft while its review is pending.
import * as z from 'zod/mini'
import { timestamp } from '../fields/dates.ts'
import { endpoint } from '../endpoint.ts'
import { pageQuery, pagination } from '../fields/pagination.ts'

export const reviewKinds = ['track', 'release'] as const
export const reviewStates = ['waiting', 'published', 'returned', 'withdrawn'] as const
export const reviewNoteMaxLength = 2000

const noteText = z.string().check(z.trim(), z.maxLength(reviewNoteMaxLength))

export const ownReview = z.object({
  id: z.uuid(),
  kind: z.enum(reviewKinds),
  item_id: z.uuid().check(z.describe('The id of the track or release.')),
  title: z.string(),
  note: z.string().check(z.describe("The creator's note.")),
  state: z.enum(reviewStates),
  answer: z.string().check(z.describe("The editor's note on a returned draft.")),
  submitted_at: timestamp,
  decided_at: z.nullable(timestamp),
  is_new: z
    .boolean()
    .check(z.describe('Whether there is a decision that the creator has not seen yet.')),
})
export type OwnReview = z.infer<typeof ownReview>

export const adminReview = z.extend(z.omit(ownReview, { is_new: true }), {
  owner_id: z.uuid().check(z.describe('The id of the creator.')),
  owner_name: z.string(),
})
export type AdminReview = z.infer<typeof adminReview>

const params = z.object({ id: z.uuid() })

export const listReviews = endpoint({
  method: 'GET',
  path: '/api/admin-reviews',
  summary: 'Drafts submitted for review. Pending reviews are listed oldest first.',
  access: 'editor',
  query: z.object({
    state: z._default(z.enum(reviewStates), 'waiting'),
    ...pageQuery(20),
  }),
  output: z.object({ data: z.array(adminReview), pagination }),
})

const decisionErrors = ['not_found', 'conflict'] as const

export const publishReview = endpoint({
  method: 'POST',
  path: '/api/admin-reviews/:id/publish',
  summary: 'Publish the reviewed item: a track, or a release with its tracks.',
  access: 'editor',
  audit: { track: ['publish', 'update'], release: ['publish'] },
  params,
  output: adminReview,
  errors: [
    ...decisionErrors,
    'track_not_found',
    'track_not_ready',
    'release_not_found',
    'release_empty',
  ],
})

export const returnReview = endpoint({
  method: 'POST',
  path: '/api/admin-reviews/:id/return',
  summary: 'Return a draft to its creator, who can change it and submit it again.',
  access: 'editor',
  audit: { track: ['update'], release: ['update'] },
  params,
  body: z.object({
    answer: noteText
      .check(z.minLength(1, 'Enter what is missing'))
      .check(z.describe('What the creator should change.')),
  }),
  output: adminReview,
  errors: decisionErrors,
})

export const listOwnReviews = endpoint({
  method: 'GET',
  path: '/api/own-reviews',
  summary: "The creator's own reviews, newest first.",
  access: 'creator',
  owned: 'filtered',
  query: z.object({
    item_id: z.optional(z.uuid()).check(z.describe('Only reviews of this track or release.')),
    ...pageQuery(20),
  }),
  output: z.object({
    data: z.array(ownReview),
    pagination,
    new_count: z
      .number()
      .check(z.describe('The number of decisions that the creator has not seen yet.')),
  }),
})

export const submitReview = endpoint({
  method: 'POST',
  path: '/api/own-reviews',
  summary: 'Submit one of your drafts for review: a track, or a release with its tracks.',
  access: 'creator',
  owned: { own: { track: ['body.track_id'], release: ['body.release_id'] } },
  creates: true,
  audit: { track: ['update'], release: ['update'] },
  body: z.union([
    z.object({
      track_id: z.uuid(),
      note: z._default(noteText, '').check(z.describe('A note to the editor.')),
    }),
    z.object({
      release_id: z.uuid(),
      note: z._default(noteText, '').check(z.describe('A note to the editor.')),
    }),
  ]),
  output: ownReview,
  errors: [
    'track_not_found',
    'release_not_found',
    'review_locked',
    'track_not_ready',
    'release_empty',
  ],
})

export const withdrawReview = endpoint({
  method: 'POST',
  path: '/api/own-reviews/:id/withdraw',
  summary: 'Withdraw a draft from review, so that it can be changed.',
  access: 'creator',
  owned: 'filtered',
  audit: { track: ['update'], release: ['update'] },
  params,
  output: ownReview,
  errors: decisionErrors,
})

export const markReviewsSeen = endpoint({
  method: 'POST',
  path: '/api/own-reviews/seen',
  summary: 'Mark all decisions so far as seen by the creator.',
  access: 'creator',
  owned: 'filtered',
  audit: { unaudited: 'Only sets a marker for the creator.' },
})
