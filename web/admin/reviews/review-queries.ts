// Queries and mutations for reviews, for creators (their own) and editors (those that wait for a decision).
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  listOwnReviews,
  listReviews,
  publishReview,
  returnReview,
  submitReview,
  withdrawReview,
  type AdminReview,
  type OwnReview,
} from '#contract/creators/reviews.ts'
import { call } from '../../base/api/api.ts'
import { useSession } from '../../base/session/session.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

export type ReviewKind = OwnReview['kind']

/** The fields of a track or release that decide about its review. Every list has them. */
export interface ReviewedItem {
  id: string
  title: string
  is_published: boolean
  release_at: string | null
  publish_when_ready?: boolean
}

/** Number of newest reviews to load, enough for those of all items in a list. */
const latestCount = 200

export function useOwnReviews(page: number, page_size = 20) {
  const { user } = useSession()
  return useQuery({
    queryKey: ['admin', 'reviews', 'own', page, page_size],
    queryFn: ({ signal }) => call(listOwnReviews, { query: { page, page_size } }, { signal }),
    placeholderData: keepPreviousData,
    enabled: user?.role === 'creator',
  })
}

/** Returns the item's newest review, if it is among the creator's latest ones. */
export function useLatestReview(id: string): OwnReview | undefined {
  return useOwnReviews(1, latestCount).data?.data.find(({ item_id }) => item_id === id)
}

/** Loads the item's newest review. `isLocked` is true while the creator can't edit the item. */
export function useItemReview(item: ReviewedItem | undefined) {
  const { user } = useSession()
  const id = item?.id ?? ''
  const isCreator = user?.role === 'creator'
  const { data } = useQuery({
    queryKey: ['admin', 'reviews', 'of', id],
    queryFn: ({ signal }) =>
      call(listOwnReviews, { query: { item_id: id, page_size: 1 } }, { signal }),
    enabled: isCreator && id !== '',
  })
  const review = data?.data[0]
  const isLocked =
    isCreator && item !== undefined && (isPublicOrScheduled(item) || review?.state === 'waiting')
  return { review, isLocked }
}

/** Returns true if the item is published, or will be without further action. */
export function isPublicOrScheduled({
  is_published,
  publish_when_ready,
  release_at,
}: ReviewedItem): boolean {
  return is_published || publish_when_ready === true || release_at !== null
}

const changedLists = ['reviews', 'tracks', 'releases'] as const

export function useSubmitReview(onDone?: () => void) {
  return useAdminMutation<{ kind: ReviewKind; id: string; note: string }>({
    run: ({ kind, id, note }) =>
      call(submitReview, {
        body: { note, ...(kind === 'track' ? { track_id: id } : { release_id: id }) },
      }),
    refresh: changedLists,
    done: 'Sent for review',
    ...(onDone && { onDone }),
    failed: 'Failed to send for review',
  })
}

export function useWithdrawReview() {
  return useAdminMutation<OwnReview>({
    run: ({ id }) => call(withdrawReview, { params: { id } }),
    refresh: changedLists,
    done: 'Withdrawn. You can edit it again.',
    failed: 'Failed to withdraw',
  })
}

export function useReviews(state: OwnReview['state'], page: number) {
  return useQuery({
    queryKey: ['admin', 'reviews', 'all', state, page],
    queryFn: ({ signal }) => call(listReviews, { query: { state, page } }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function usePublishReview() {
  return useAdminMutation<AdminReview>({
    run: ({ id }) => call(publishReview, { params: { id } }),
    refresh: changedLists,
    done: (_, { title }) => `“${title}” is published`,
    failed: 'Failed to publish',
  })
}

export function useReturnReview(onDone: () => void) {
  return useAdminMutation<{ id: string; answer: string }>({
    run: ({ id, answer }) => call(returnReview, { params: { id }, body: { answer } }),
    refresh: changedLists,
    done: 'Returned to the creator',
    onDone,
    failed: 'Failed to return the draft',
  })
}
