// Multi-line text that grows with its content.
import type { ComponentProps } from 'react'
import control from './control.module.css'
import { Field, type FieldLook } from './field.tsx'

export interface TextAreaProps extends FieldLook, Omit<ComponentProps<'textarea'>, 'className'> {}

export function TextArea({ label, hideLabel, hint, error, id, ...textarea }: TextAreaProps) {
  return (
    <Field {...{ label, hideLabel, hint, error, id }}>
      {(field) => (
        <span className={control.control}>
          <textarea {...textarea} {...field} className={control.input} />
        </span>
      )}
    </Field>
  )
}
