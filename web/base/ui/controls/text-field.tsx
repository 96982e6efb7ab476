// A single-line text, number or date field.
import type { ComponentProps, ReactNode } from 'react'
import control from './control.module.css'
import { Field, type FieldLook } from './field.tsx'

export interface TextFieldProps extends FieldLook, Omit<ComponentProps<'input'>, 'className'> {
  icon?: ReactNode
}

export function TextField({ label, hideLabel, hint, error, id, icon, ...input }: TextFieldProps) {
  return (
    <Field {...{ label, hideLabel, hint, error, id }}>
      {(field) => (
        <span className={control.control}>
          {icon && (
            <span className={control.lead} aria-hidden="true">
              {icon}
            </span>
          )}
          <input
            {...input}
            {...field}
            className={control.input}
            data-empty={(input.type === 'date' && !input.value) || undefined}
          />
        </span>
      )}
    </Field>
  )
}
