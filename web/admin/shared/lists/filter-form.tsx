// Form with the filters of a list: the most used ones on one line, the others behind 'More filters'.
import { IconAdjustmentsHorizontal } from '#web/base/ui/icons/icons.ts'
import { useId, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../../base/ui/controls/button.tsx'
import { TextField } from '../../../base/ui/controls/text-field.tsx'
import styles from './filter-form.module.css'

export interface FilterFormProps {
  children: ReactNode
  more: ReactNode
  /** True if one of the `more` filters is set. They are then visible from the start. */
  hasMore: boolean
  onSubmit?: () => void
  /** Buttons behind the filters, such as 'Apply Filters'. */
  actions?: ReactNode
}

export function FilterForm({ children, more, hasMore, onSubmit, actions }: FilterFormProps) {
  const [isOpen, setOpen] = useState(hasMore)
  const moreId = useId()
  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit?.()
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.line}>
        {children}
        <span className={styles.button}>
          <Button
            icon={<IconAdjustmentsHorizontal />}
            aria-expanded={isOpen}
            aria-controls={moreId}
            onClick={() => setOpen(!isOpen)}
          >
            More filters
          </Button>
        </span>
        {actions && <span className={styles.button}>{actions}</span>}
      </div>
      <div id={moreId} className={styles.more} hidden={!isOpen}>
        {more}
      </div>
    </form>
  )
}

export interface DayRangeProps {
  /** Label of the range, such as 'Joined'. */
  label: string
  from: string
  to: string
  onChange: (range: { from?: string; to?: string }) => void
}

/** A range of days. Either end may be empty. */
export function DayRange({ label, from, to, onChange }: DayRangeProps) {
  return (
    <fieldset className={styles.range}>
      <legend>{label}</legend>
      <TextField
        label={`${label} from`}
        hideLabel
        type="date"
        value={from}
        max={to || undefined}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <span aria-hidden="true">to</span>
      <TextField
        label={`${label} to`}
        hideLabel
        type="date"
        value={to}
        min={from || undefined}
        onChange={({ target }) => onChange({ to: target.value })}
      />
    </fieldset>
  )
}
