// A native select for a few options: it works well on every phone and with every screen reader.
import { IconSelector } from '../icons/icons.ts'
import type { ComponentProps } from 'react'
import control from './control.module.css'
import { Field, type FieldLook } from './field.tsx'

export interface SelectOption {
  value: string
  label: string
  disabled?: boolean
}

export interface SelectProps
  extends FieldLook, Omit<ComponentProps<'select'>, 'className' | 'children'> {
  options: readonly SelectOption[]
  /** Label of the empty first option. */
  placeholder?: string
}

export function Select({
  label,
  hideLabel,
  hint,
  error,
  id,
  options,
  placeholder,
  ...select
}: SelectProps) {
  return (
    <Field {...{ label, hideLabel, hint, error, id }}>
      {(field) => (
        <span className={control.control}>
          <select {...select} {...field} className={`${control.input} ${control.select}`}>
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <span className={control.chevron} aria-hidden="true">
            <IconSelector />
          </span>
        </span>
      )}
    </Field>
  )
}
