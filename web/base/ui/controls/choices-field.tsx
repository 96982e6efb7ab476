// A field for several of the given options, kept in the order of selection.
import { IconSelector, IconX } from '../icons/icons.ts'
import { useState } from 'react'
import control from './control.module.css'
import { Field, type FieldLook } from './field.tsx'
import styles from './tags-field.module.css'
import { VisuallyHidden } from '../layout/visually-hidden.tsx'

export interface ChoicesFieldProps extends FieldLook {
  value: readonly string[]
  onChange: (value: string[]) => void
  options: readonly { value: string; label: string }[]
  /** Label of the box that adds an option: `Add a category`. */
  placeholder: string
  max?: number
}

export function ChoicesField(props: ChoicesFieldProps) {
  const { label, hideLabel, hint, error, value, onChange, options, placeholder, max } = props
  const [announcement, setAnnouncement] = useState('')
  const labelOf = (choice: string) =>
    options.find((option) => option.value === choice)?.label ?? choice
  const left = options.filter((option) => !value.includes(option.value))
  const isFull = max !== undefined && value.length >= max

  function add(choice: string) {
    if (choice === '') return
    onChange([...value, choice])
    setAnnouncement(`${labelOf(choice)} added.`)
  }
  function remove(choice: string) {
    onChange(value.filter((other) => other !== choice))
    setAnnouncement(`${labelOf(choice)} removed.`)
  }

  return (
    <Field {...{ label, hideLabel, hint, error }}>
      {(field) => (
        <span className={`${control.control} ${styles.box}`}>
          {value.map((choice) => (
            <span key={choice} className={styles.tag}>
              {labelOf(choice)}
              <button
                type="button"
                className={styles.remove}
                aria-label={`Remove ${labelOf(choice)}`}
                onClick={() => remove(choice)}
              >
                <IconX aria-hidden="true" />
              </button>
            </span>
          ))}
          <select
            {...field}
            className={`${control.input} ${control.select} ${styles.input}`}
            value=""
            disabled={isFull || left.length === 0}
            onChange={(event) => add(event.target.value)}
          >
            <option value="">{placeholder}</option>
            {left.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <span className={control.chevron} aria-hidden="true">
            <IconSelector />
          </span>
          <VisuallyHidden role="status">{announcement}</VisuallyHidden>
        </span>
      )}
    </Field>
  )
}
