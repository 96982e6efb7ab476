// A password field with a button that reveals the text.
import { IconEye, IconEyeOff } from '../icons/icons.ts'
import { useState, type ComponentProps, type ReactNode } from 'react'
import control from './control.module.css'
import { Field, type FieldLook } from './field.tsx'
import { IconButton } from './icon-button.tsx'

export interface PasswordFieldProps
  extends FieldLook, Omit<ComponentProps<'input'>, 'className' | 'type'> {
  /** Content beside the label. */
  aside?: ReactNode
  /** What the field contains, for the button's label: 'password', 'secret'. */
  secretName?: string
}

export function PasswordField({
  label,
  hideLabel,
  hint,
  error,
  id,
  aside,
  secretName = 'password',
  ...input
}: PasswordFieldProps) {
  const [visible, setVisible] = useState(false)
  return (
    <Field {...{ label, hideLabel, hint, error, id, aside }}>
      {(field) => (
        <span className={control.control}>
          <input
            {...input}
            {...field}
            className={control.input}
            type={visible ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
          />
          <IconButton
            label={visible ? `Hide ${secretName}` : `Show ${secretName}`}
            onClick={() => setVisible(!visible)}
          >
            {visible ? <IconEyeOff /> : <IconEye />}
          </IconButton>
        </span>
      )}
    </Field>
  )
}
