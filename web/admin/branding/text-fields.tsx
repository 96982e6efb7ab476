// The text fields of the Appearance form. An empty field shows the default text as its placeholder.
import { brandingMaxLength, type BrandingText } from '#contract/fields/branding.ts'
import { Field } from '../../base/ui/controls/field.tsx'
import control from '../../base/ui/controls/control.module.css'
import { brandingLabels, type BrandingForm } from './branding-form.ts'
import { DefaultButton } from './default-button.tsx'

export interface BrandingTextFieldProps {
  name: BrandingText
  form: BrandingForm
  defaults: Record<BrandingText, string>
  hint?: string
  error?: string | undefined
  onChange: (changes: Partial<BrandingForm>) => void
}

export function BrandingTextField(props: BrandingTextFieldProps) {
  const { name, form, defaults, hint, error, onChange } = props
  const label = brandingLabels[name]
  const change = (text: string) => onChange({ [name]: text })
  const shared = {
    placeholder: defaults[name],
    maxLength: brandingMaxLength[name],
    value: form[name],
  }
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      aside={<DefaultButton of={label} isShown={form[name] !== ''} onClick={() => change('')} />}
    >
      {(field) =>
        name === 'landing_lead' ? (
          <span className={control.control}>
            <textarea
              {...shared}
              {...field}
              rows={3}
              className={control.input}
              onChange={(event) => change(event.target.value)}
            />
          </span>
        ) : (
          <span className={control.control}>
            <input
              {...shared}
              {...field}
              type={name === 'contact_email' ? 'email' : 'text'}
              className={control.input}
              onChange={(event) => change(event.target.value)}
            />
          </span>
        )
      }
    </Field>
  )
}
