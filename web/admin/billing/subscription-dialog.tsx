// Creates or edits a manual subscription, which is paid outside Stripe.
import { useId, useState, type FormEvent } from 'react'
import { defaultCurrency } from '#contract/plans.ts'
import type { Subscription } from '#contract/admin/admin-billing.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import formStyles from '../shared/dialog-form.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import {
  sendBillingAction,
  paymentMethodOptions,
  usePlanPrices,
  type BillingResponse,
  type PlanPrices,
} from '../people/billing-queries.ts'
import { PersonField } from './person-field.tsx'
import {
  getAmountText,
  emptySubscriptionForm,
  findSubscriptionProblems,
  formOfSubscription,
  toManualBody,
  type SubscriptionForm,
  type SubscriptionProblems,
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
/** Statuses that only Stripe sets. An option is offered only if the subscription already has that status. */
const stripeStatusOptions = [
  { value: 'canceled', label: 'Canceled' },
  { value: 'trialing', label: 'Trialing' },
]

export interface SubscriptionDialogProps {
  open: boolean
  /** The subscription to edit. Null to create one. */
  editing: Subscription | null
  /** The user of a new subscription. Empty to let the admin choose. */
  presetUserId: string
  onClose: () => void
}

export function SubscriptionDialog(props: SubscriptionDialogProps) {
  const { open, editing, presetUserId, onClose } = props
  const formId = useId()
  // Load the prices here, so that they are usually there when the form opens.
  const prices = usePlanPrices()
  const [isSaving, setIsSaving] = useState(false)
  // Keep "Update" or "Create" in the title and the button while the dialog closes.
  const [isUpdate, setIsUpdate] = useState(false)
  if (open && isUpdate !== (editing !== null)) setIsUpdate(editing !== null)
  const verb = isUpdate ? 'Update' : 'Create'
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`${verb} Manual Subscription`}
      footer={
        <FormButtons
          form={formId}
          label={`${verb} Subscription`}
          busy={isSaving}
          onCancel={onClose}
        />
      }
    >
      <SubscriptionDialogForm
        {...{ formId, editing, presetUserId, prices }}
        onSavingChange={setIsSaving}
        onSaved={onClose}
      />
    </Dialog>
  )
}

interface SubscriptionDialogFormProps extends Pick<
  SubscriptionDialogProps,
  'editing' | 'presetUserId'
> {
  formId: string
  prices: PlanPrices | undefined
  onSavingChange: (isSaving: boolean) => void
  onSaved: () => void
}

function SubscriptionDialogForm(props: SubscriptionDialogFormProps) {
  const { formId, presetUserId, prices, onSavingChange, onSaved } = props
  // The subscription when the form was opened. If a refetch changed it, the unchanged form would count as edited.
  const [editing] = useState(props.editing)
  const [saved] = useState(() =>
    editing ? formOfSubscription(editing) : emptySubscriptionForm(presetUserId),
  )
  const draft = useFormDraft({
    key: editing ? `subscription:${editing.user_id}` : `subscription:new:${presetUserId}`,
    what: editing ? `the subscription of ${editing.email}` : 'the new subscription',
    saved,
  })
  const { form, setForm } = draft
  const { form: element, problems, showProblems } = useProblems<SubscriptionProblems>()
  const isUpdate = editing !== null
  const currency = prices?.currency ?? defaultCurrency

  const saving = useAdminMutation<SubscriptionForm, BillingResponse>({
    run: (sent) => sendBillingAction(toManualBody(sent, { isEditing: isUpdate, currency })),
    onSavingChange,
    refresh: ['billing', 'users', 'insights'],
    done: isUpdate
      ? 'Subscription updated successfully'
      : 'Manual subscription created successfully',
    onDone() {
      draft.saved()
      onSaved()
    },
    failed: isUpdate ? 'Failed to update subscription' : 'Failed to create subscription',
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const found = findSubscriptionProblems(form, new Date(), currency)
    const [first] = Object.values(found)
    if (showProblems(found)) showToast({ tone: 'destructive', title: 'Error', message: first })
    else if (!saving.isPending) saving.mutate({ ...form, amount: getAmountText(form, prices) })
  }

  return (
    <form ref={element} id={formId} className={formStyles.form} noValidate onSubmit={submit}>
      <RestoredNote isShown={draft.isRestored} onDiscard={draft.discard} />
      {!isUpdate && (
        <PersonField
          value={form.user_id}
          error={problems.user_id}
          onChange={(user_id) => setForm({ ...form, user_id })}
        />
      )}
      <SubscriptionFields
        form={form}
        onChange={(changes) => setForm({ ...form, ...changes })}
        endError={problems.end_date}
      />
      <TextField
        label={`Amount received (${currency.toUpperCase()})`}
        inputMode="decimal"
        autoComplete="off"
        placeholder={isUpdate ? 'No new payment' : 'Nothing was paid'}
        hint={
          isUpdate
            ? 'Only if there is a new payment. It is added to the ledger.'
            : 'Recorded as revenue. Leave empty if nothing was paid.'
        }
        value={getAmountText(form, prices)}
        error={problems.amount}
        onChange={(event) => setForm({ ...form, amount: event.target.value })}
      />
    </form>
  )
}

interface SubscriptionFieldsProps {
  form: SubscriptionForm
  onChange: (changes: Partial<SubscriptionForm>) => void
  endError: string | undefined
}

function SubscriptionFields({ form, onChange, endError }: SubscriptionFieldsProps) {
  const currentOptions = stripeStatusOptions.filter(({ value }) => value === form.status)
  return (
    <>
      <div className={formStyles.pair}>
        <Select
          label="Tier"
          options={tierOptions}
          value={form.tier}
          onChange={({ target }) => onChange({ tier: target.value as SubscriptionForm['tier'] })}
        />
        <Select
          label="Status"
          options={[...statusOptions, ...currentOptions]}
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
