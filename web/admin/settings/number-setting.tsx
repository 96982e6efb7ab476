// A number field of the settings form.
import { TextField, type TextFieldProps } from '../../base/ui/controls/text-field.tsx'
import type { SettingsTabProps } from './general-tab.tsx'
import type { SettingsForm } from './settings-form.ts'

type TextName = {
  [Name in keyof SettingsForm]: SettingsForm[Name] extends string ? Name : never
}[keyof SettingsForm]

export interface NumberSettingProps
  extends Pick<SettingsTabProps, 'form' | 'onChange'>, Pick<TextFieldProps, 'label' | 'hint'> {
  name: TextName
  min?: number
  max?: number
}

export function NumberSetting({ name, form, onChange, min = 0, ...field }: NumberSettingProps) {
  return (
    <TextField
      {...field}
      type="number"
      inputMode="numeric"
      min={min}
      value={form[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  )
}
