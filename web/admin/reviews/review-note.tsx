// Notice above a creator's form: whether the creator can edit the draft now, and what the editor commented.
import { formatShortMoment } from '../shared/format/format-moment.ts'
import { useSession } from '../../base/session/session.ts'
import { ReviewButton } from './review-button.tsx'
import {
  isPublicOrScheduled,
  useItemReview,
  type ReviewedItem,
  type ReviewKind,
} from './review-queries.ts'
import styles from './reviews.module.css'

export interface ReviewNoteProps {
  item: ReviewedItem
  kind: ReviewKind
  /** False if the screen shows the review button elsewhere. */
  hasButton?: boolean
}

export function ReviewNote({ item, kind, hasButton = false }: ReviewNoteProps) {
  const { user } = useSession()
  const { review } = useItemReview(item)
  if (user?.role !== 'creator') return null
  const description = describeReview(item, review)
  if (!description && !hasButton) return null
  return (
    <div className={styles.note} data-tone={review?.state === 'returned' ? 'warning' : undefined}>
      <p>{description ?? 'This is a draft. Send it for review when it is ready.'}</p>
      {hasButton && <ReviewButton item={item} kind={kind} />}
    </div>
  )
}

function describeReview(
  item: ReviewedItem,
  review: ReturnType<typeof useItemReview>['review'],
): string | null {
  if (item.is_published) return 'This is published. Ask an editor to change it.'
  if (isPublicOrScheduled(item))
    return 'This is scheduled or about to be published. Ask an editor to change it.'
  if (review?.state === 'waiting') {
    return `In review since ${formatShortMoment(review.submitted_at)}. You cannot edit it until an editor decides.`
  }
  return review?.state === 'returned' ? `Returned by an editor: ${review.answer}` : null
}
