// Cancels Premium in two steps: the reason, then what remains available. The second step shows the retention offer, if
// there is one.
import { useId, useState, type FormEvent } from 'react'
import {
  cancelCommentMaxLength,
  cancelFeedbacks,
  cancelFeedbackLabels,
  type CancelFeedback,
} from '#contract/cancellations.ts'
import type { OwnSubscription } from '#contract/own-subscription.ts'
import { formatEndDay } from '../../base/format/format-end-day.ts'
import { useSite } from '../../base/session/site.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import styles from './cancel-dialog.module.css'
import { useAcceptRetentionOffer, useCancelSubscription } from './own-subscription-queries.ts'

const reasons = cancelFeedbacks.map((value) => ({ value, label: cancelFeedbackLabels[value] }))

export interface CancelDialogProps {
  open: boolean
  subscription: OwnSubscription
  onClose: () => void
}

export function CancelDialog({ open, subscription, onClose }: CancelDialogProps) {
  const formId = useId()
  const [isLastStep, setLastStep] = useState(false)
  const [feedback, setFeedback] = useState<CancelFeedback | null>(null)
  const [comment, setComment] = useState('')
  const close = () => {
    setLastStep(false)
    onClose()
  }
  const canceling = useCancelSubscription(close)
  function next(event: FormEvent) {
    event.preventDefault()
    setLastStep(true)
  }
  if (!isLastStep) {
    return (
      <Dialog
        open={open}
        onClose={close}
        title="Why do you want to cancel?"
        description="Your answer helps us improve. You can skip it."
        footer={
          <>
            <Button onClick={close}>Keep Premium</Button>
            <Button type="submit" form={formId} variant="primary">
              Continue
            </Button>
          </>
        }
      >
        <form id={formId} className={styles.step} onSubmit={next}>
          <Select
            label="Reason"
            placeholder="No reason"
            options={reasons}
            value={feedback ?? ''}
            onChange={({ target }) =>
              setFeedback(cancelFeedbacks.find((one) => one === target.value) ?? null)
            }
          />
          <TextArea
            label="In your own words"
            rows={3}
            maxLength={cancelCommentMaxLength}
            value={comment}
            onChange={({ target }) => setComment(target.value)}
          />
        </form>
      </Dialog>
    )
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Cancel Premium?"
      footer={
        <>
          <Button disabled={canceling.isPending} onClick={close}>
            Keep Premium
          </Button>
          <Button
            variant="danger"
            busy={canceling.isPending}
            onClick={() => canceling.mutate({ feedback, comment })}
          >
            Cancel Premium
          </Button>
        </>
      }
    >
      <div className={styles.step}>
        <CancellationEffects subscription={subscription} />
        <Offer offer={subscription.retention_offer} onDone={close} />
      </div>
    </Dialog>
  )
}

function CancellationEffects({ subscription }: { subscription: OwnSubscription }) {
  const { preview_length_seconds } = useSite()
  const { ends_at, ends_at_once } = subscription
  return (
    <ul className={styles.remains}>
      <li>
        {ends_at_once || ends_at === null
          ? 'Premium ends now, because nothing is paid in advance. The unpaid amount is not charged.'
          : `You have Premium until ${formatEndDay(ends_at, { dateStyle: 'long' })}. Nothing more is charged, and you can resume it until then.`}
      </li>
      <li>Your playlists, likes and the artists you follow stay.</li>
      <li>
        Afterwards you hear previews of {preview_length_seconds} seconds. Playlists over the Free
        limits stay as they are, but nothing can be added to them. Downloaded tracks no longer play.
      </li>
    </ul>
  )
}

function Offer({
  offer,
  onDone,
}: {
  offer: OwnSubscription['retention_offer']
  onDone: () => void
}) {
  const accepting = useAcceptRetentionOffer(onDone)
  if (!offer) return null
  const { percent_off, months } = offer
  return (
    <section className={styles.offer} aria-label="Offer to stay">
      <p>
        <strong>Stay for {percent_off}% less.</strong> Each payment of the next{' '}
        {months === 1 ? 'month' : `${months} months`} costs {percent_off}% less.
      </p>
      <Button variant="primary" busy={accepting.isPending} onClick={() => accepting.mutate()}>
        Stay with {percent_off}% Off
      </Button>
    </section>
  )
}
