// The foot of a dialog around a form: back without it, or send it.
import { Button } from './button.tsx'
import { useCloseRequest } from './close-guard.ts'

export interface FormButtonsProps {
  /** The form's id: the buttons stand outside of it. */
  form: string
  /** On the button that sends it. */
  label: string
  busy: boolean
  disabled?: boolean
  onCancel: () => void
}

export function FormButtons({ form, label, busy, disabled = false, onCancel }: FormButtonsProps) {
  // The form may want to ask first.
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
