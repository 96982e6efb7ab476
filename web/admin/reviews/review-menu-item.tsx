// Menu item that sends a creator's draft for review. While the draft waits for review, the item withdraws it.
import { IconChecklist } from '#web/base/ui/icons/icons.ts'
import { MenuItem } from '../../base/ui/overlays/menu.tsx'
import {
  isPublicOrScheduled,
  useLatestReview,
  useSubmitReview,
  useWithdrawReview,
  type ReviewedItem,
  type ReviewKind,
} from './review-queries.ts'

export function ReviewMenuItem({ item, kind }: { item: ReviewedItem; kind: ReviewKind }) {
  const review = useLatestReview(item.id)
  const submitting = useSubmitReview()
  const withdrawing = useWithdrawReview()
  if (isPublicOrScheduled(item)) return null
  if (review?.state === 'waiting') {
    return (
      <MenuItem icon={<IconChecklist />} onSelect={() => withdrawing.mutate(review)}>
        Withdraw from Review
      </MenuItem>
    )
  }
  return (
    <MenuItem
      icon={<IconChecklist />}
      onSelect={() => submitting.mutate({ kind, id: item.id, note: '' })}
    >
      Send for Review
    </MenuItem>
  )
}
