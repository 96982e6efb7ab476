// The fields of a release.
import {
  releaseKindLabels,
  releaseKinds,
  type ReleaseKind,
} from '#contract/fields/release-fields.ts'
import { Select } from '../../base/ui/controls/select.tsx'
import { TagsField } from '../../base/ui/controls/tags-field.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { useMay } from '../../base/session/use-may.ts'
import { AvailabilityFields } from '../availability/availability-fields.tsx'
import { CoverField, type CoverFieldProps } from '../shared/cover-field.tsx'
import type { ReleaseDraft } from './release-draft.ts'

export interface ReleaseProblems {
  title?: string
  slug?: string
  upc?: string
}

export interface ReleaseFieldsProps extends Omit<CoverFieldProps, 'title'> {
  form: ReleaseDraft
  onChange: (changes: Partial<ReleaseDraft>) => void
  problems: ReleaseProblems
  /** True if members can see the release. */
  isPublished: boolean
}

const kinds = releaseKinds.map((value) => ({ value, label: releaseKindLabels[value] }))

export function ReleaseFields(props: ReleaseFieldsProps) {
  const { form, onChange, problems, isPublished, ...cover } = props
  const isEditor = useMay('editor')
  return (
    <>
      <TextField
        label="Title"
        required
        maxLength={200}
        value={form.title}
        error={problems.title}
        onChange={({ target }) => onChange({ title: target.value })}
      />
      <Select
        label="Kind"
        options={kinds}
        value={form.kind}
        onChange={({ target }) => onChange({ kind: target.value as ReleaseKind })}
      />
      <TagsField
        label="Artists"
        hint="In the order shown to listeners."
        value={form.artists.map(({ name }) => name)}
        onChange={(names) => onChange({ artists: withJoiners(names, form.artists) })}
      />
      <CoverField
        {...cover}
        title={form.title}
        hint="If empty, the cover of the first track is used."
      />
      {isEditor && (
        <AvailabilityFields
          form={form.availability}
          onChange={(availability) => onChange({ availability })}
          isPublished={isPublished}
          note="Also applies to its tracks, except those with their own date or audience, and those already public on another release."
        />
      )}
      <TextField
        label="Release date"
        type="date"
        hint="Shown to listeners. If empty, scheduling sets it to the scheduled day."
        value={form.release_date}
        onChange={({ target }) => onChange({ release_date: target.value })}
      />
      <TextField
        label="Label"
        maxLength={200}
        value={form.label}
        onChange={({ target }) => onChange({ label: target.value })}
      />
      <TextField
        label="UPC or EAN"
        inputMode="numeric"
        maxLength={20}
        value={form.upc}
        error={problems.upc}
        onChange={({ target }) => onChange({ upc: target.value })}
      />
      <TextArea
        label="Description"
        rows={5}
        maxLength={5000}
        value={form.description}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <TextField
        label="Address"
        hint={`/releases/${form.slug}. Old addresses keep working.`}
        maxLength={100}
        value={form.slug}
        error={problems.slug}
        onChange={({ target }) => onChange({ slug: target.value })}
      />
    </>
  )
}

/** Turns the typed names into artists. A name that was there before keeps its joiner. */
function withJoiners(names: readonly string[], before: ReleaseDraft['artists']) {
  return names.map((name) => before.find((artist) => artist.name === name) ?? { name, joiner: '' })
}
