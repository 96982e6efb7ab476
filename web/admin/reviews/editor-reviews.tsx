// Lists drafts that creators have sent for review. An editor publishes a draft, or returns it with a note.
import { IconChecklist } from '#web/base/ui/icons/icons.ts'
import { useId, useState, type FormEvent } from 'react'
import { reviewNoteMaxLength, reviewStates, type AdminReview } from '#contract/creators/reviews.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import layout from '../../base/ui/layout/layout.module.css'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { formatShortMoment } from '../shared/format/format-moment.ts'
import { DataTable } from '../shared/lists/data-table.tsx'
import listBar from '../shared/lists/list-bar.module.css'
import { PageNote } from '../shared/lists/page-note.tsx'
import { useExistingPage, useUrlFilters } from '../shared/lists/use-url-filters.ts'
import { useLast } from '../shared/lists/use-last.ts'
import { itemPath } from './own-reviews.tsx'
import { usePublishReview, useReturnReview, useReviews } from './review-queries.ts'
import { reviewLabels } from './review-state.tsx'
import styles from './reviews.module.css'

const stateOptions = reviewStates.map((value) => ({ value, label: reviewLabels[value][0] }))

export function EditorReviews() {
  const filters = useUrlFilters(['state'])
  const state = reviewStates.find((name) => name === filters.values.state) ?? 'waiting'
  const reviews = useReviews(state, filters.page)
  useExistingPage(filters, reviews)
  const [returned, setReturned] = useState<AdminReview | null>(null)
  return (
    <AdminPage
      title="Reviews"
      note="Drafts submitted by creators. Publish them, or return them with a note."
    >
      <div className={listBar.bar}>
        <Select
          label="State"
          hideLabel
          options={stateOptions}
          value={state}
          onChange={({ target }) =>
            filters.change({ state: target.value === 'waiting' ? '' : target.value })
          }
        />
      </div>
      <DataTable
        label="Reviews"
        stacked
        tall
        query={reviews}
        failedTitle="Failed to load the reviews"
        columns={['Draft', 'Creator', 'Note', 'State', 'Actions']}
        empty={
          <EmptyState
            icon={<IconChecklist />}
            title={state === 'waiting' ? 'No drafts to review' : 'No reviews'}
            message="Drafts that creators send for review appear here. You can assign the Creator role in User Management."
          />
        }
        footer={
          reviews.data && (
            <PageNote
              label="Reviews"
              pagination={reviews.data.pagination}
              onChange={filters.setPage}
            />
          )
        }
      >
        {(reviews.data?.data ?? []).map((review) => (
          <ReviewRow key={review.id} review={review} onReturn={() => setReturned(review)} />
        ))}
      </DataTable>
      <ReturnDialog review={returned} onClose={() => setReturned(null)} />
    </AdminPage>
  )
}

interface ReviewRowProps {
  review: AdminReview
  onReturn: () => void
}

function ReviewRow({ review, onReturn }: ReviewRowProps) {
  const publishing = usePublishReview()
  const [stateLabel, tone] = reviewLabels[review.state]
  return (
    <tr>
      <th scope="row">
        <ScreenLink to={itemPath(review)}>{review.title}</ScreenLink>{' '}
        <Badge>{review.kind === 'track' ? 'Track' : 'Release'}</Badge>
      </th>
      <td data-label="Creator">{review.owner_name || 'No name'}</td>
      <td data-label="Note" className={styles.words}>
        {review.answer || review.note || '–'}
      </td>
      <td data-label="State">
        <Badge tone={tone}>{stateLabel}</Badge>{' '}
        {formatShortMoment(review.decided_at ?? review.submitted_at)}
      </td>
      <td>
        {review.state === 'waiting' && (
          <span className={layout.cluster2}>
            <Button
              size="small"
              variant="primary"
              busy={publishing.isPending}
              onClick={() => publishing.mutate(review)}
            >
              Publish
            </Button>
            <Button size="small" onClick={onReturn}>
              Return
            </Button>
          </span>
        )}
      </td>
    </tr>
  )
}

interface ReturnDialogProps {
  review: AdminReview | null
  onClose: () => void
}

function ReturnDialog({ review, onClose }: ReturnDialogProps) {
  const shown = useLast(review)
  const formId = useId()
  const [answer, setAnswer] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const returning = useReturnReview(() => {
    setAnswer('')
    onClose()
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    setIsMissing(answer.trim() === '')
    if (review && answer.trim() !== '' && !returning.isPending) {
      returning.mutate({ id: review.id, answer })
    }
  }
  return (
    <Dialog
      open={review !== null}
      onClose={onClose}
      title={`Return “${shown?.title ?? ''}”`}
      description="The creator sees your note, can change the draft and send it again."
      footer={
        <FormButtons
          form={formId}
          label="Return"
          busy={returning.isPending}
          disabled={false}
          onCancel={onClose}
        />
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <TextArea
          label="Note"
          required
          maxLength={reviewNoteMaxLength}
          value={answer}
          error={isMissing ? 'Please explain what needs to change' : undefined}
          onChange={({ target }) => setAnswer(target.value)}
        />
      </form>
    </Dialog>
  )
}
