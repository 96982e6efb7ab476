// Refunds a card payment through Stripe, in full or in part.
import { useId, useState, type FormEvent } from 'react'
import { refundPayment } from '#contract/admin/money/admin-refunds.ts'
import type { Payment } from '#contract/admin/admin-billing.ts'
import { refundReasons, refundReasonLabels, type RefundReason } from '#contract/refunds.ts'
import { call } from '../../base/api/api.ts'
import { formatAmount, formatMoney, parseAmount } from '#contract/currencies.ts'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { formatDay } from '../shared/format/format-moment.ts'
import formStyles from '../shared/dialog-form.module.css'
import { useLast } from '../shared/lists/use-last.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

const reasonOptions = refundReasons.map((value) => ({ value, label: refundReasonLabels[value] }))

export interface RefundDialogProps {
  /** The payment to refund. Null while the dialog is closed. */
  payment: Payment | null
  onClose: () => void
}

export function RefundDialog({ payment, onClose }: RefundDialogProps) {
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  const shown = useLast(payment)
  return (
    <Dialog
      open={payment !== null}
      onClose={onClose}
      title="Refund Payment"
      description={shown && describePayment(shown)}
      footer={<FormButtons form={formId} label="Refund" busy={isSaving} onCancel={onClose} />}
    >
      {shown && (
        <RefundForm
          key={`${shown.id} ${shown.refunded_cents}`}
          formId={formId}
          payment={shown}
          onSavingChange={setIsSaving}
          onDone={onClose}
        />
      )}
    </Dialog>
  )
}

function describePayment({ amount_cents, currency, paid_at, refunded_cents }: Payment): string {
  const paid = `${formatMoney(amount_cents, currency)} paid on ${formatDay(paid_at)}.`
  return refunded_cents === 0
    ? paid
    : `${paid} ${formatMoney(refunded_cents, currency)} of it has already been refunded.`
}

interface RefundFormProps {
  formId: string
  payment: Payment
  onSavingChange: (isSaving: boolean) => void
  onDone: () => void
}

function RefundForm({ formId, payment, onSavingChange, onDone }: RefundFormProps) {
  const { id, amount_cents, currency, refunded_cents } = payment
  const left = amount_cents - refunded_cents
  const [amount, setAmount] = useState(formatAmount(left, currency))
  const [reason, setReason] = useState<RefundReason>('requested_by_customer')
  const [problem, setProblem] = useState<string>()
  const refunding = useAdminMutation<number>({
    run: (cents) =>
      call(refundPayment, {
        body: { payment_id: id, amount_cents: cents, refunded_cents, reason },
      }),
    onSavingChange,
    refresh: ['billing'],
    done: 'Refund submitted to Stripe',
    onDone,
    failed: 'Failed to refund the payment',
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const cents = parseAmount(amount, currency)
    const isValid = cents !== null && cents <= left
    setProblem(
      isValid ? undefined : `Please enter an amount of at most ${formatMoney(left, currency)}.`,
    )
    if (isValid && !refunding.isPending) refunding.mutate(cents)
  }
  return (
    <form id={formId} className={formStyles.form} noValidate onSubmit={submit}>
      <TextField
        label={`Amount (${currency.toUpperCase()})`}
        hint="The plan does not change. To end it, cancel the subscription as well."
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        value={amount}
        error={problem}
        onChange={({ target }) => setAmount(target.value)}
      />
      <Select
        label="Reason"
        options={reasonOptions}
        value={reason}
        onChange={({ target }) =>
          setReason(refundReasons.find((one) => one === target.value) ?? reason)
        }
      />
    </form>
  )
}
