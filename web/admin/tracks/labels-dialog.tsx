// Dialog to add and remove categories and moods of the selected tracks.
import { useId, useState, type FormEvent } from 'react'
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { maxCategories, maxMoodLength, maxMoods } from '#contract/tracks.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { ChoicesField } from '../../base/ui/controls/choices-field.tsx'
import { TagsField } from '../../base/ui/controls/tags-field.tsx'
import layout from '../../base/ui/layout/layout.module.css'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { useCategoryOptions } from '../track-data/track-queries.ts'
import { applyLabelChanges, collectLabels, type LabelChanges } from './change-labels.ts'

export interface LabelsDialogProps {
  open: boolean
  tracks: readonly AdminTrack[]
  onClose: () => void
  onChange: (changes: LabelChanges) => void
}

const noChanges: LabelChanges = {
  addedCategories: [],
  removedCategories: [],
  addedMoods: [],
  removedMoods: [],
}

export function LabelsDialog({ open, tracks, onClose, onChange }: LabelsDialogProps) {
  const formId = useId()
  const categories = useCategoryOptions().data ?? []
  const [changes, setChanges] = useState(noChanges)
  const change = (more: Partial<LabelChanges>) => setChanges({ ...changes, ...more })
  const present = collectLabels(tracks)
  const count = tracks.filter((track) => applyLabelChanges(track, changes)).length

  function submit(event: FormEvent) {
    event.preventDefault()
    if (count === 0) return
    setChanges(noChanges)
    onChange(changes)
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Categories and Moods"
      footer={
        <FormButtons
          form={formId}
          label={count === 0 ? 'Update' : `Update ${formatCount(count, 'track', 'tracks')}`}
          busy={false}
          disabled={count === 0}
          onCancel={onClose}
        />
      }
    >
      <form id={formId} className={layout.stack3} noValidate onSubmit={submit}>
        <ChoicesField
          label="Add to categories"
          placeholder="Select a category"
          options={categories}
          value={changes.addedCategories}
          max={maxCategories}
          onChange={(addedCategories) => change({ addedCategories })}
        />
        <ChoicesField
          label="Remove from categories"
          placeholder="Select a category"
          options={present.categories.map(
            (slug) =>
              categories.find(({ value }) => value === slug) ?? { value: slug, label: slug },
          )}
          value={changes.removedCategories}
          onChange={(removedCategories) => change({ removedCategories })}
        />
        <TagsField
          label="Add moods"
          placeholder="calm, hopeful"
          hint="Press Enter or comma to add one."
          value={changes.addedMoods}
          maxTags={maxMoods}
          maxLength={maxMoodLength}
          onChange={(addedMoods) => change({ addedMoods })}
        />
        <ChoicesField
          label="Remove moods"
          placeholder="Select a mood"
          options={present.moods.map((mood) => ({ value: mood, label: mood }))}
          value={changes.removedMoods}
          onChange={(removedMoods) => change({ removedMoods })}
        />
      </form>
    </Dialog>
  )
}
