// Asks for the date, and for whom, of several things that are published together.
import { useId, useState, type FormEvent } from 'react'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { AvailabilityFields } from './availability-fields.tsx'
import {
  availabilityBody,
  emptyAvailability,
  findDaysProblem,
  releaseOf,
} from './availability-form.ts'

export interface ScheduleDialogProps {
  open: boolean
  /** '3 tracks' */
  what: string
  onSchedule: (body: ReturnType<typeof availabilityBody>) => void
  onClose: () => void
}

export function ScheduleDialog({ open, what, onSchedule, onClose }: ScheduleDialogProps) {
  const formId = useId()
  const [form, setForm] = useState(emptyAvailability)
  const isComplete = releaseOf(form) !== null && findDaysProblem(form) === null

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isComplete) onSchedule(availabilityBody({ form, isPublished: false }))
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Schedule ${what}`}
      description="What is published is hidden until then."
      footer={
        <FormButtons
          form={formId}
          label="Schedule"
          busy={false}
          disabled={!isComplete}
          onCancel={onClose}
        />
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <AvailabilityFields form={form} onChange={setForm} isPublished={false} />
      </form>
    </Dialog>
  )
}
