// A button that opens a dialog to schedule the selected items. All get the same publication date and audience.
import { useId, useState, type FormEvent } from 'react'
import { useSite } from '../../base/session/site.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { AvailabilityFields } from './availability-fields.tsx'
import {
  toAvailabilityBody,
  emptyAvailability,
  findDaysProblem,
  toReleaseInstant,
} from './availability-form.ts'

export type ScheduleBody = ReturnType<typeof toAvailabilityBody>

export interface ScheduleButtonProps {
  /** The selected items, as text: '3 tracks'. */
  what: string
  onSchedule: (body: ScheduleBody) => void
}

export function ScheduleButton({ what, onSchedule }: ScheduleButtonProps) {
  const formId = useId()
  const [isOpen, setIsOpen] = useState(false)
  const { default_audience } = useSite()
  const [form, setForm] = useState(() => emptyAvailability(default_audience))
  const isComplete = toReleaseInstant(form) !== null && findDaysProblem(form) === null
  const close = () => setIsOpen(false)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isComplete) return
    close()
    onSchedule(toAvailabilityBody({ form, isPublished: false }))
  }

  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        Schedule
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title={`Schedule ${what}`}
        description="Published items are hidden until then."
        footer={
          <FormButtons
            form={formId}
            label="Schedule"
            busy={false}
            disabled={!isComplete}
            onCancel={close}
          />
        }
      >
        <form id={formId} noValidate onSubmit={submit}>
          <AvailabilityFields form={form} onChange={setForm} isPublished={false} />
        </form>
      </Dialog>
    </>
  )
}
