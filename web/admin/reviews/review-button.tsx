// Button that sends a creator's draft to the editors with a note. While the draft waits for review, it withdraws it.
import { IconChecklist } from '#web/base/ui/icons/icons.ts'
import { useId, useState, type FormEvent } from 'react'
import { reviewNoteMaxLength } from '#contract/creators/reviews.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import {
  isPublicOrScheduled,
  useItemReview,
  useSubmitReview,
  useWithdrawReview,
  type ReviewedItem,
  type ReviewKind,
} from './review-queries.ts'

export interface ReviewButtonProps {
  item: ReviewedItem
  kind: ReviewKind
  disabled?: boolean
}

export function ReviewButton({ item, kind, disabled = false }: ReviewButtonProps) {
  const { review } = useItemReview(item)
  const withdrawing = useWithdrawReview()
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  if (isPublicOrScheduled(item)) return null
  if (review?.state === 'waiting') {
    return (
      <Button busy={withdrawing.isPending} onClick={() => withdrawing.mutate(review)}>
        Withdraw
      </Button>
    )
  }
  return (
    <>
      <Button icon={<IconChecklist />} disabled={disabled} onClick={() => setIsDialogOpen(true)}>
        Send for Review
      </Button>
      <SubmitDialog
        open={isDialogOpen}
        item={item}
        kind={kind}
        onClose={() => setIsDialogOpen(false)}
      />
    </>
  )
}

interface SubmitDialogProps extends Omit<ReviewButtonProps, 'disabled'> {
  open: boolean
  onClose: () => void
}

function SubmitDialog({ open, item, kind, onClose }: SubmitDialogProps) {
  const formId = useId()
  const [note, setNote] = useState('')
  const submitting = useSubmitReview(onClose)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!submitting.isPending) submitting.mutate({ kind, id: item.id, note })
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Send “${item.title}” for review`}
      description={
        kind === 'release'
          ? 'An editor publishes it with its tracks, or returns it with a note. Until then, you cannot edit it.'
          : 'An editor publishes it, or returns it with a note. Until then, you cannot edit it.'
      }
      footer={
        <FormButtons
          form={formId}
          label="Send"
          busy={submitting.isPending}
          disabled={false}
          onCancel={onClose}
        />
      }
    >
      <form id={formId} onSubmit={submit}>
        <TextArea
          label="Note"
          hint="For the editor, such as a preferred date or other artists to credit."
          maxLength={reviewNoteMaxLength}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </form>
    </Dialog>
  )
}
