// The fields of a category, for the dialog that creates one and the form that edits one.
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { CoverField, type CoverFieldProps } from '../shared/cover-field.tsx'

export interface CategoryForm {
  display_name: string
  description: string
}

export interface CategoryFieldsProps extends Omit<CoverFieldProps, 'title'> {
  form: CategoryForm
  onChange: (changes: Partial<CategoryForm>) => void
  nameError: string | undefined
}

export function CategoryFields(props: CategoryFieldsProps) {
  const { form, onChange, nameError, ...cover } = props
  return (
    <>
      <TextField
        label="Display Name"
        required
        maxLength={120}
        value={form.display_name}
        error={nameError}
        onChange={(event) => onChange({ display_name: event.target.value })}
      />
      <TextArea
        label="Description"
        rows={3}
        maxLength={2000}
        value={form.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <CoverField {...cover} title={form.display_name} />
    </>
  )
}
