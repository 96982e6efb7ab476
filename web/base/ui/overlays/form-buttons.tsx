// The footer of a dialog with a form: cancel and submit.
import { Button } from '../controls/button.tsx'
import { useCloseRequest } from './close-guard.ts'

export interface FormButtonsProps {
  /** Id of the form: the buttons are outside it. */
  form: string
  /** Label of the submit button. */
  label: string
  busy: boolean
  disabled?: boolean
  onCancel: () => void
}

export function FormButtons({ form, label, busy, disabled = false, onCancel }: FormButtonsProps) {
  // The form may have a close guard.
  const cancel = useCloseRequest(onCancel)
  return (
    <>
      <Button onClick={cancel}>Cancel</Button>
      <Button variant="primary" type="submit" form={form} busy={busy} disabled={disabled}>
        {label}
      </Button>
    </>
  )
}
