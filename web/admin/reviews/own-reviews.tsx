// Lists a creator's own reviews. Opening the list marks all decisions of editors as seen.
import { IconChecklist } from '#web/base/ui/icons/icons.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { markReviewsSeen, type OwnReview } from '#contract/creators/reviews.ts'
import { call } from '../../base/api/api.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { formatShortMoment } from '../shared/format/format-moment.ts'
import { DataTable } from '../shared/lists/data-table.tsx'
import { PageNote } from '../shared/lists/page-note.tsx'
import { useOwnReviews, useWithdrawReview } from './review-queries.ts'
import { reviewLabels } from './review-state.tsx'
import styles from './reviews.module.css'

export function OwnReviews() {
  const [page, setPage] = useState(1)
  const reviews = useOwnReviews(page)
  useMarkSeen(reviews.data?.new_count ?? 0)
  return (
    <AdminPage
      title="Reviews"
      note="Your drafts in review, and the editors’ decisions. Send a draft for review from its form or menu."
    >
      <DataTable
        label="Reviews"
        stacked
        tall
        query={reviews}
        failedTitle="Failed to load the reviews"
        columns={['Draft', 'State', 'Note', 'Actions']}
        empty={
          <EmptyState
            icon={<IconChecklist />}
            title="No drafts sent for review yet"
            message="Editors publish your drafts. Send your first draft when it is ready."
          />
        }
        footer={
          reviews.data && (
            <PageNote label="Reviews" pagination={reviews.data.pagination} onChange={setPage} />
          )
        }
      >
        {(reviews.data?.data ?? []).map((review) => (
          <ReviewRow key={review.id} review={review} />
        ))}
      </DataTable>
    </AdminPage>
  )
}

function ReviewRow({ review }: { review: OwnReview }) {
  const withdrawing = useWithdrawReview()
  const [stateLabel, tone] = reviewLabels[review.state]
  return (
    <tr>
      <th scope="row">
        <ScreenLink to={itemPath(review)}>{review.title}</ScreenLink>
      </th>
      <td data-label="State">
        <Badge tone={tone}>{stateLabel}</Badge>{' '}
        {formatShortMoment(review.decided_at ?? review.submitted_at)}
      </td>
      <td data-label="Note" className={styles.words}>
        {review.answer || review.note || '–'}
      </td>
      <td>
        {review.state === 'waiting' && (
          <Button
            size="small"
            busy={withdrawing.isPending}
            onClick={() => withdrawing.mutate(review)}
          >
            Withdraw
          </Button>
        )}
      </td>
    </tr>
  )
}

export function itemPath({ kind, item_id }: Pick<OwnReview, 'kind' | 'item_id'>): string {
  return kind === 'track' ? `/admin/tracks?edit=${item_id}` : `/admin/releases/${item_id}`
}

/** Marks the decisions as seen, then refetches the reviews, so that the notice about them disappears. */
function useMarkSeen(newCount: number): void {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: () => call(markReviewsSeen, {}),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['admin', 'reviews', 'own'] }),
  })
  useEffect(() => {
    if (newCount > 0) mutate()
  }, [newCount, mutate])
}
