// Button that opens a dialog to record how the selected tracks were made. The record is saved immediately, separately
// from the grid, because it is private and has no column there.
import { useId, useState, type FormEvent } from 'react'
import { bulkMaxTracks } from '#contract/admin/admin-tracks.ts'
import type { ImportedTrack } from '#contract/admin/track-imports.ts'
import { originLimits, updateTrackOrigins } from '#contract/admin/track-origins.ts'
import { originParts, type OriginMaking, type OriginPart } from '#contract/fields/origin-parts.ts'
import { call } from '../../base/api/api.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import layout from '../../base/ui/layout/layout.module.css'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './batch-editor.module.css'

const texts = ['tool', 'model', 'plan_at_creation'] as const
type Form = Record<(typeof texts)[number] | 'rights_note', string> &
  Record<OriginPart, OriginMaking | ''>

const empty: Form = {
  tool: '',
  model: '',
  plan_at_creation: '',
  rights_note: '',
  lyrics: '',
  music: '',
  vocals: '',
  artwork: '',
}
const labels: Record<keyof Form, string> = {
  tool: 'Tool',
  model: 'Model',
  plan_at_creation: 'Plan at creation',
  rights_note: 'Rights note',
  lyrics: 'Lyrics',
  music: 'Music',
  vocals: 'Vocals',
  artwork: 'Artwork',
}
const makingOptions: { value: OriginMaking; label: string }[] = [
  { value: 'human', label: 'Made by people' },
  { value: 'assisted', label: 'AI-assisted' },
  { value: 'generated', label: 'AI-generated' },
]

/** Returns only the fields that were filled in, so that the other fields of each track's record are kept. */
function toBody(form: Form) {
  const given = [...texts, 'rights_note' as const].flatMap((name) =>
    form[name].trim() === '' ? [] : [[name, form[name].trim()] as const],
  )
  const parts = originParts.flatMap((part) => (form[part] === '' ? [] : [[part, form[part]]]))
  return {
    ...(Object.fromEntries(given) as Partial<Record<keyof Form, string>>),
    ...(parts.length > 0 && {
      parts: Object.fromEntries(parts) as Partial<Record<OriginPart, OriginMaking>>,
    }),
  }
}

export function OriginsButton({ chosen }: { chosen: readonly ImportedTrack[] }) {
  const formId = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [form, setForm] = useState(empty)
  const [updatesDisclosure, setUpdatesDisclosure] = useState(true)
  const body = toBody(form)
  const isEmpty = Object.keys(body).length === 0
  const count = formatCount(chosen.length, 'track', 'tracks')
  const saving = useAdminMutation({
    async run() {
      for (let at = 0; at < chosen.length; at += bulkMaxTracks) {
        const ids = chosen.slice(at, at + bulkMaxTracks).map(({ id }) => id)
        await call(updateTrackOrigins, {
          body: { ids, ...body, update_disclosure: updatesDisclosure },
        })
      }
    },
    refresh: ['tracks'],
    done: `Origins of ${count} saved`,
    onDone: () => {
      setIsOpen(false)
      setForm(empty)
    },
    failed: (error) => showReason(error, 'Failed to save the origins'),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isEmpty && !saving.isPending) saving.mutate()
  }
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        Origins
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Origins of ${count}`}
        description="Private: members never see this. Empty fields stay unchanged."
        footer={
          <FormButtons
            form={formId}
            label="Save Origins"
            busy={saving.isPending}
            disabled={isEmpty}
            onCancel={() => setIsOpen(false)}
          />
        }
      >
        <form id={formId} className={layout.stack3} noValidate onSubmit={submit}>
          <Fields form={form} onChange={(changes) => setForm({ ...form, ...changes })} />
          <Switch
            label="Update the public disclosure"
            hint="Sets the badge and the tool from what is recorded. Nothing else becomes public."
            checked={updatesDisclosure}
            onChange={({ target }) => setUpdatesDisclosure(target.checked)}
          />
        </form>
      </Dialog>
    </>
  )
}

interface FieldsProps {
  form: Form
  onChange: (changes: Partial<Form>) => void
}

function Fields({ form, onChange }: FieldsProps) {
  return (
    <>
      <div className={styles.pair}>
        {texts.map((name) => (
          <TextField
            key={name}
            label={labels[name]}
            maxLength={originLimits[name]}
            value={form[name]}
            onChange={({ target }) => onChange({ [name]: target.value })}
          />
        ))}
      </div>
      <div className={styles.pair}>
        {originParts.map((part) => (
          <Select
            key={part}
            label={labels[part]}
            placeholder="No change"
            options={makingOptions}
            value={form[part]}
            onChange={({ target }) => onChange({ [part]: target.value as OriginMaking | '' })}
          />
        ))}
      </div>
      <TextArea
        label={labels.rights_note}
        rows={2}
        maxLength={originLimits.rights_note}
        value={form.rights_note}
        onChange={({ target }) => onChange({ rights_note: target.value })}
      />
    </>
  )
}
