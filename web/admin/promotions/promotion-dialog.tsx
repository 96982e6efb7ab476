// Dialog to create a promotion code. Its discount and limits can't be changed later.
import { useId, useState, type FormEvent } from 'react'
import { createPromotionCode } from '#contract/admin/money/admin-promotions.ts'
import { call } from '../../base/api/api.ts'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Select } from '../../base/ui/controls/select.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { EditNotes } from '../conflicts/edit-notes.tsx'
import { showFailure } from '../shared/admin-failure.ts'
import { useCurrency } from '../people/billing-queries.ts'
import styles from '../shared/dialog-form.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import {
  emptyPromotion,
  promotionLabels,
  promotionOfForm,
  type PromotionForm,
} from './promotion-form.ts'

export interface PromotionDialogProps {
  open: boolean
  onClose: () => void
}

export function PromotionDialog({ open, onClose }: PromotionDialogProps) {
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add Promotion Code"
      description="The code is created in Stripe. Its terms cannot be changed later."
      footer={<FormButtons form={formId} label="Add Code" busy={isSaving} onCancel={onClose} />}
    >
      <CodeForm formId={formId} onSavingChange={setIsSaving} onSaved={onClose} />
    </Dialog>
  )
}

interface CodeFormProps {
  formId: string
  onSavingChange: (isSaving: boolean) => void
  onSaved: () => void
}

const planOptions = [
  { value: '', label: 'Both plans' },
  { value: 'monthly', label: 'Monthly' },
  { value: 'yearly', label: 'Yearly' },
]

function CodeForm({ formId, onSavingChange, onSaved }: CodeFormProps) {
  const draft = useFormDraft({
    key: 'promotion:new',
    what: 'the new code',
    saved: emptyPromotion,
  })
  const { form: typed } = draft
  const change = (changes: Partial<PromotionForm>) => draft.setForm({ ...typed, ...changes })
  const { form, problems, showProblems } = useProblems<Record<keyof PromotionForm, string>>()
  const saving = useAdminMutation({
    run: (body: NonNullable<ReturnType<typeof promotionOfForm>['body']>) =>
      call(createPromotionCode, { body }),
    onSavingChange,
    refresh: ['billing'],
    done: 'Code added',
    onDone() {
      draft.saved()
      onSaved()
    },
    failed: (error) => showFailure(error, 'Failed to add the code'),
  })
  const currency = useCurrency()
  function submit(event: FormEvent) {
    event.preventDefault()
    if (saving.isPending) return
    const { body, problems: found } = promotionOfForm(typed, currency)
    if (body) saving.mutate(body)
    else showProblems(found)
  }
  return (
    <form ref={form} id={formId} className={styles.form} noValidate onSubmit={submit}>
      <EditNotes
        edit={{ ...draft, labels: promotionLabels, isStale: false }}
        deletionNote={undefined}
      />
      <TextField
        data-autofocus
        label="Code"
        hint="Letters and digits, as members enter it."
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        value={typed.code}
        error={problems.code}
        onChange={({ target }) => change({ code: target.value.toUpperCase() })}
      />
      <TermsFields typed={typed} problems={problems} onChange={change} />
      <div className={styles.pair}>
        <TextField
          label="Usage limit"
          inputMode="numeric"
          autoComplete="off"
          hint="If empty, there is no limit."
          value={typed.max_uses}
          error={problems.max_uses}
          onChange={({ target }) => change({ max_uses: target.value })}
        />
        <TextField
          label="Last day"
          type="date"
          hint="If empty, it does not expire."
          value={typed.expires_at}
          onChange={({ target }) => change({ expires_at: target.value })}
        />
      </div>
      <Select
        label="Plan"
        options={planOptions}
        value={typed.plan}
        onChange={({ target }) => change({ plan: target.value as PromotionForm['plan'] })}
      />
      <Switch
        label="New members only"
        hint="For people who have never paid before"
        checked={typed.is_first_time_only}
        onChange={({ target }) => change({ is_first_time_only: target.checked })}
      />
    </form>
  )
}

interface TermsFieldsProps {
  typed: PromotionForm
  problems: Partial<Record<keyof PromotionForm, string>>
  onChange: (changes: Partial<PromotionForm>) => void
}

function TermsFields({ typed, problems, onChange }: TermsFieldsProps) {
  const currency = useCurrency()
  return (
    <>
      <div className={styles.pair}>
        <Select
          label="Discount type"
          options={[
            { value: 'percent', label: 'Percentage' },
            { value: 'amount', label: 'Fixed amount' },
          ]}
          value={typed.kind}
          onChange={({ target }) => onChange({ kind: target.value as PromotionForm['kind'] })}
        />
        <TextField
          label={typed.kind === 'percent' ? 'Percent' : `Amount (${currency.toUpperCase()})`}
          inputMode="decimal"
          autoComplete="off"
          value={typed.off}
          error={problems.off}
          onChange={({ target }) => onChange({ off: target.value })}
        />
      </div>
      <div className={styles.pair}>
        <Select
          label="Applies to"
          options={[
            { value: 'once', label: 'First payment' },
            { value: 'repeating', label: 'Payments for several months' },
            { value: 'forever', label: 'All payments' },
          ]}
          value={typed.duration}
          onChange={({ target }) =>
            onChange({ duration: target.value as PromotionForm['duration'] })
          }
        />
        {typed.duration === 'repeating' && (
          <TextField
            label="Months"
            inputMode="numeric"
            autoComplete="off"
            value={typed.months}
            error={problems.months}
            onChange={({ target }) => onChange({ months: target.value })}
          />
        )}
      </div>
    </>
  )
}
