// The fields of a curated playlist.
import { Switch } from '../../base/ui/controls/switch.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { AvailabilityFields } from '../availability/availability-fields.tsx'
import type { AvailabilityForm } from '../availability/availability-form.ts'
import { CoverField, type CoverFieldProps } from '../shared/cover-field.tsx'

export interface PlaylistForm {
  title: string
  description: string
  is_curated: boolean
  availability: AvailabilityForm
}

export interface PlaylistFieldsProps extends Omit<CoverFieldProps, 'title'> {
  form: PlaylistForm
  onChange: (changes: Partial<PlaylistForm>) => void
  titleError: string | undefined
  /** True if members can see the playlist. */
  isVisible: boolean
}

export function PlaylistFields(props: PlaylistFieldsProps) {
  const { form, onChange, titleError, isVisible, ...cover } = props
  return (
    <>
      <TextField
        label="Title"
        required
        maxLength={200}
        value={form.title}
        error={titleError}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <TextArea
        label="Description"
        rows={3}
        maxLength={2000}
        value={form.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <CoverField {...cover} title={form.title} />
      <Switch
        label="Is Curated"
        hint="Shown to all members in Browse while it is visible."
        checked={form.is_curated}
        onChange={(event) => onChange({ is_curated: event.target.checked })}
      />
      {form.is_curated && (
        <AvailabilityFields
          form={form.availability}
          onChange={(availability) => onChange({ availability })}
          isPublished={isVisible}
        />
      )}
    </>
  )
}
