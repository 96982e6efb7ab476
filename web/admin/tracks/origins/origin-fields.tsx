// The fields that record how a track was made.
import { originLimits } from '#contract/admin/track-origins.ts'
import { originParts, type OriginMaking } from '#contract/fields/origin-parts.ts'
import { Select } from '../../../base/ui/controls/select.tsx'
import { TextArea } from '../../../base/ui/controls/text-area.tsx'
import { TextField } from '../../../base/ui/controls/text-field.tsx'
import { originLabels, type OriginForm, type OriginText } from './origin-form.ts'
import styles from './origin-section.module.css'

export interface OriginFieldsProps {
  form: OriginForm
  onChange: (changes: Partial<OriginForm>) => void
}

const makingOptions = [
  { value: 'human', label: 'Made by people' },
  { value: 'assisted', label: 'AI-assisted' },
  { value: 'generated', label: 'AI-generated' },
]

export function OriginFields({ form, onChange }: OriginFieldsProps) {
  const line = (name: OriginText) => (
    <TextField
      label={originLabels[name]}
      maxLength={originLimits[name]}
      value={form[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  )
  const lines = (name: OriginText) => (
    <TextArea
      label={originLabels[name]}
      rows={2}
      maxLength={originLimits[name]}
      value={form[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  )
  return (
    <>
      <div className={styles.pair}>
        {originParts.map((part) => (
          <Select
            key={part}
            label={originLabels[part]}
            placeholder="Not specified"
            options={makingOptions}
            value={form[part]}
            onChange={({ target }) => onChange({ [part]: target.value as OriginMaking | '' })}
          />
        ))}
      </div>
      <div className={styles.pair}>
        {line('tool')}
        {line('model')}
        {line('plan_at_creation')}
        <TextField
          label={originLabels.created_on}
          type="date"
          value={form.created_on}
          onChange={({ target }) => onChange({ created_on: target.value })}
        />
        {line('source_url')}
        {line('source_id')}
        {line('seed')}
      </div>
      {lines('prompt')}
      {lines('style')}
      {lines('negative_style')}
      {lines('rights_note')}
    </>
  )
}
