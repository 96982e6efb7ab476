// The state of a creator's own track or release. Creators see it in place of the publish switch.
import { Badge, type BadgeProps } from '../../base/ui/display/badge.tsx'
import { isPublicOrScheduled, useLatestReview, type ReviewedItem } from './review-queries.ts'
import type { OwnReview } from '#contract/creators/reviews.ts'

export const reviewLabels: Record<OwnReview['state'], [label: string, tone: BadgeProps['tone']]> = {
  waiting: ['In review', 'info'],
  published: ['Published', 'success'],
  returned: ['Returned', 'warning'],
  withdrawn: ['Withdrawn', 'neutral'],
}

export function ReviewState({ item }: { item: ReviewedItem }) {
  const review = useLatestReview(item.id)
  if (item.is_published) return <Badge tone="success">Published</Badge>
  if (isPublicOrScheduled(item)) return <Badge tone="info">Scheduled</Badge>
  if (review?.state !== 'waiting' && review?.state !== 'returned') return <Badge>Draft</Badge>
  const [label, tone] = reviewLabels[review.state]
  return <Badge tone={tone}>{label}</Badge>
}
