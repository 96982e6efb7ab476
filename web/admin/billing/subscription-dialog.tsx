// A subscription that was paid outside of Stripe: made, or changed.
import { useId, useRef, useState, type FormEvent, type Ref } from 'react'
import type { Subscription } from '#contract/admin-billing.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { showToast } from '../../ui/toast-store.ts'
import formStyles from '../dialog-form.module.css'
import { useAct } from '../use-act.ts'
import {
  billing,
  paymentMethodOptions,
  usePlanPrices,
  type BillingAnswer,
} from './billing-queries.ts'
import {
  defaultAmount,
  emptySubscriptionForm,
  findSubscriptionProblems,
  formOfSubscription,
  manualBody,
  type PlanPrices,
  type SubscriptionForm,
} from './subscription-form.ts'

const tierOptions = [
  { value: 'free', label: 'Free' },
  { value: 'monthly', label: 'Monthly' },
  { value: 'yearly', label: 'Yearly' },
  { value: 'premium', label: 'Premium' },
  { value: 'lifetime', label: 'Lifetime' },
  { value: 'comped', label: 'Comped' },
]
const statusOptions = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
  { value: 'pending', label: 'Pending' },
]
/** States that only Stripe gives; kept where a row has them. */
const stripeStatusOptions = [
  { value: 'canceled', label: 'Canceled' },
  { value: 'trialing', label: 'Trialing' },
]

export interface SubscriptionDialogProps {
  open: boolean
  /** Null: a new one. */
  editing: Subscription | null
  /** Whom a new one is for, where that is known. */
  presetUserId: string
  onClose: () => void
}

export function SubscriptionDialog(props: SubscriptionDialogProps) {
  const { open, editing, presetUserId, onClose } = props
  const formId = useId()
  const prices = usePlanPrices()
  const [form, setForm] = useState(() => emptySubscriptionForm(presetUserId, prices))
  const [problems, setProblems] = useState<ReturnType<typeof findSubscriptionProblems>>({})
  const [isUpdate, setIsUpdate] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) {
      setIsUpdate(editing !== null)
      setForm(editing ? formOfSubscription(editing) : emptySubscriptionForm(presetUserId, prices))
      setProblems({})
    }
  }
  const userIdInput = useRef<HTMLInputElement>(null)
  const endInput = useRef<HTMLInputElement>(null)
  const amountInput = useRef<HTMLInputElement>(null)
  const verb = isUpdate ? 'Update' : 'Create'

  const saving = useAct<SubscriptionForm, BillingAnswer>({
    run: (sent) => billing(manualBody(sent, { isEditing: isUpdate })),
    refresh: ['billing', 'users', 'insights'],
    done: isUpdate
      ? 'Subscription updated successfully'
      : 'Manual subscription created successfully',
    onDone: onClose,
    failed: isUpdate ? 'Failed to update subscription' : 'Failed to create subscription',
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const found = findSubscriptionProblems(form, new Date())
    setProblems(found)
    const [first] = Object.values(found)
    if (first) {
      showToast({ tone: 'destructive', title: 'Error', message: first })
      const input = found.user_id ? userIdInput : found.end_date ? endInput : amountInput
      input.current?.focus()
    } else if (!saving.isPending) saving.mutate(form)
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`${verb} Manual Subscription`}
      footer={
        <FormButtons
          form={formId}
          label={`${verb} Subscription`}
          busy={saving.isPending}
          onCancel={onClose}
        />
      }
    >
      <form id={formId} className={formStyles.form} noValidate onSubmit={submit}>
        {!isUpdate && (
          <TextField
            ref={userIdInput}
            label="User ID"
            required
            autoComplete="off"
            spellCheck={false}
            placeholder="00000000-0000-0000-0000-000000000000"
            value={form.user_id}
            error={problems.user_id}
            onChange={(event) => setForm({ ...form, user_id: event.target.value })}
          />
        )}
        <SubscriptionFields
          form={form}
          onChange={(changes) => setForm({ ...form, ...changes })}
          onTier={(tier) => setForm(withTier(form, tier, isUpdate ? undefined : prices))}
          endError={problems.end_date}
          endInput={endInput}
        />
        <TextField
          ref={amountInput}
          label="Amount received (USD)"
          inputMode="decimal"
          autoComplete="off"
          placeholder={isUpdate ? 'No new payment' : 'Nothing was paid'}
          hint={
            isUpdate
              ? 'Only for a new payment: it is added to the ledger.'
              : 'For your revenue. Leave it empty when nothing was paid.'
          }
          value={form.amount}
          error={problems.amount}
          onChange={(event) => setForm({ ...form, amount: event.target.value })}
        />
      </form>
    </Dialog>
  )
}

/** The amount goes with the plan until somebody types another one. */
function withTier(
  form: SubscriptionForm,
  tier: SubscriptionForm['tier'],
  prices: PlanPrices | undefined,
): SubscriptionForm {
  const isOffered = prices !== undefined && form.amount === defaultAmount(form.tier, prices)
  return { ...form, tier, ...(isOffered && { amount: defaultAmount(tier, prices) }) }
}

interface SubscriptionFieldsProps {
  form: SubscriptionForm
  onTier: (tier: SubscriptionForm['tier']) => void
  onChange: (changes: Partial<SubscriptionForm>) => void
  endError: string | undefined
  endInput: Ref<HTMLInputElement>
}

function SubscriptionFields({
  form,
  onTier,
  onChange,
  endError,
  endInput,
}: SubscriptionFieldsProps) {
  const kept = stripeStatusOptions.filter(({ value }) => value === form.status)
  return (
    <>
      <div className={formStyles.pair}>
        <Select
          label="Tier"
          options={tierOptions}
          value={form.tier}
          onChange={({ target }) => onTier(target.value as SubscriptionForm['tier'])}
        />
        <Select
          label="Status"
          options={[...statusOptions, ...kept]}
          value={form.status}
          onChange={({ target }) =>
            onChange({ status: target.value as SubscriptionForm['status'] })
          }
        />
      </div>
      <Select
        label="Payment Method"
        options={paymentMethodOptions}
        value={form.payment_method}
        onChange={({ target }) =>
          onChange({ payment_method: target.value as SubscriptionForm['payment_method'] })
        }
      />
      <TextArea
        label="Notes"
        rows={2}
        maxLength={2000}
        value={form.notes}
        onChange={({ target }) => onChange({ notes: target.value })}
      />
      <div className={formStyles.pair}>
        <TextField
          label="Start Date"
          type="date"
          value={form.start_date}
          onChange={({ target }) => onChange({ start_date: target.value })}
        />
        <TextField
          ref={endInput}
          label="End Date"
          type="date"
          value={form.end_date}
          error={endError}
          onChange={({ target }) => onChange({ end_date: target.value })}
        />
      </div>
    </>
  )
}
