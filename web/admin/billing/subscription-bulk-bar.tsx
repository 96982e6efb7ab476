// Bulk actions for the selected subscriptions.
import { useId, useState, type FormEvent } from 'react'
import type { BulkChange } from '#contract/admin/admin-bulk.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { subscriptionStatuses } from '#contract/plans.ts'
import { tierOptions } from '../people/role-and-plan.tsx'
import { PeopleBar } from '../shared/lists/people-bar.tsx'
import { PickMenu } from '../shared/lists/pick-menu.tsx'
import { titleCase } from '../shared/format/title-case.ts'
import type { RowSelection } from '../shared/lists/use-selection.ts'
import { paymentMethodOptions } from '../people/billing-queries.ts'
import type { SubscriptionFilters } from './subscription-filters.ts'

const statusOptions = subscriptionStatuses.map((value) => ({ value, label: titleCase(value) }))

export interface SubscriptionBulkBarProps {
  selection: RowSelection
  total: number
  matching: SubscriptionFilters['matching']
}

export function SubscriptionBulkBar({ selection, total, matching }: SubscriptionBulkBarProps) {
  return (
    <PeopleBar
      selection={selection}
      total={total}
      matching={{ subscriptions: matching, count: total }}
      actions={(openConfirm) => (
        <>
          <PickMenu
            label="Tier"
            options={tierOptions}
            onPick={(tier) => openConfirm({ kind: 'plan', tier })}
          />
          <PickMenu
            label="Status"
            options={statusOptions}
            onPick={(status) => openConfirm({ kind: 'status', status })}
          />
          <PickMenu
            label="Payment Method"
            options={paymentMethodOptions}
            onPick={(payment_method) => openConfirm({ kind: 'payment_method', payment_method })}
          />
          <NoteButton onAsk={openConfirm} />
        </>
      )}
    />
  )
}

function NoteButton({ onAsk }: { onAsk: (change: BulkChange) => void }) {
  const formId = useId()
  const [isOpen, setOpen] = useState(false)
  const [note, setNote] = useState('')
  function submit(event: FormEvent) {
    event.preventDefault()
    setOpen(false)
    onAsk({ kind: 'note', note: note.trim() })
    setNote('')
  }
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Note
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Note for Selected People"
        footer={
          <FormButtons
            form={formId}
            label="Continue"
            busy={false}
            onCancel={() => setOpen(false)}
          />
        }
      >
        <form id={formId} onSubmit={submit}>
          <TextArea
            label="Note"
            hint="Replaces the note on each subscription. Leave empty to remove it."
            rows={3}
            maxLength={2000}
            data-autofocus
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        </form>
      </Dialog>
    </>
  )
}
