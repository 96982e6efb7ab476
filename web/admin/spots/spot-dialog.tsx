// Dialog to add or edit a spot, a message that free members hear or see between songs.
import { useId, useState, type FormEvent } from 'react'
import {
  createSpot,
  spotLabelMaxLength,
  spotLinkMaxLength,
  spotMaxSeconds,
  spotTextMaxLength,
  spotTitleMaxLength,
  updateSpot,
  type AdminSpot,
} from '#contract/admin/service/admin-spots.ts'
import type { SpotKind } from '#contract/spots.ts'
import { call } from '../../base/api/api.ts'
import { useFormDraft, useKeptFiles } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { ChoicesField } from '../../base/ui/controls/choices-field.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { EditNotes } from '../conflicts/edit-notes.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { CoverField, noCover } from '../shared/cover-field.tsx'
import formStyles from '../shared/dialog-form.module.css'
import { FileField } from '../shared/file-field.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useCover, type DraftCover } from '../shared/use-cover.ts'
import { useUpload, type DraftFile, type Upload } from '../shared/use-upload.ts'
import {
  toSpotFields,
  formOfSpot,
  findSpotProblems,
  spotLabels,
  type SpotForm,
  type SpotProblems,
} from './spot-form.ts'
import { useSpotCategories } from './spot-queries.ts'

export interface SpotDialogProps {
  /** The spot to edit. Null to add one. */
  spot: AdminSpot | null
  onClose: () => void
}

export function SpotDialog({ spot, onClose }: SpotDialogProps) {
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  return (
    <Dialog
      open
      onClose={onClose}
      title={spot ? 'Edit Spot' : 'Add Spot'}
      description="A sound plays between two songs. A card is shown silently while the music continues."
      footer={
        <FormButtons
          form={formId}
          label={spot ? 'Save Changes' : 'Add Spot'}
          busy={isSaving}
          onCancel={onClose}
        />
      }
    >
      <SpotFields {...{ spot, onClose, formId }} onSavingChange={setIsSaving} />
    </Dialog>
  )
}

interface DraftSpotFiles extends DraftCover {
  audio: DraftFile | null
}

interface SpotFieldsProps extends SpotDialogProps {
  formId: string
  onSavingChange: (isSaving: boolean) => void
}

function SpotFields({ spot, onClose, formId, onSavingChange }: SpotFieldsProps) {
  const key = `spot:${spot?.id ?? 'new'}`
  const kept = useKeptFiles<DraftSpotFiles>(key)
  const cover = useCover(kept)
  const audio = useUpload('audio', kept?.audio)
  const what = spot ? 'this spot' : 'the new spot'
  const draft = useFormDraft<SpotForm, DraftSpotFiles>(
    { key, what, saved: formOfSpot(spot) },
    {
      isChanged: cover.isChanged || audio.state.status !== 'idle',
      kept: { ...cover.kept, audio: audio.kept },
      clear() {
        cover.clear()
        audio.clear()
      },
    },
  )
  const { form, setForm } = draft
  const change = (changes: Partial<SpotForm>) => setForm({ ...form, ...changes })
  const { form: element, problems, showProblems } = useProblems<SpotProblems & { audio?: string }>()
  const saving = useSaveSpot({ spot, cover, audio, onSavingChange }, () => {
    draft.saved()
    onClose()
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const needsSound = !spot && form.kind === 'sound' && audio.state.status === 'idle'
    const found = {
      ...findSpotProblems(form),
      ...(needsSound && { audio: 'Select a recording for this spot.' }),
    }
    if (!showProblems(found) && !saving.isPending) saving.mutate(form)
  }

  return (
    <form ref={element} id={formId} className={formStyles.form} noValidate onSubmit={submit}>
      <EditNotes edit={{ ...draft, labels: spotLabels, isStale: false }} />
      {!spot && <KindField kind={form.kind} onChange={(kind) => change({ kind })} />}
      <TextField
        data-autofocus
        label="Title"
        required
        maxLength={spotTitleMaxLength}
        value={form.title}
        error={problems.title}
        onChange={({ target }) => change({ title: target.value })}
      />
      {form.kind === 'sound' && (
        <FileField
          label={spot ? 'New recording' : 'Recording'}
          accept="audio/*"
          upload={audio}
          hint={`Up to ${spotMaxSeconds / 60} minutes. The volume is matched to the songs.`}
          error={problems.audio}
        />
      )}
      <TextArea
        label="Text"
        rows={2}
        maxLength={spotTextMaxLength}
        value={form.text}
        onChange={({ target }) => change({ text: target.value })}
      />
      <CoverField
        upload={cover.upload}
        current={spot ?? noCover}
        title={form.title}
        hint="If empty, an image is generated from the title."
        removed={cover.isRemoved}
        onRemovedChange={cover.setIsRemoved}
      />
      <LinkAndDates {...{ form, change, problems }} />
    </form>
  )
}

interface KindFieldProps {
  kind: SpotKind
  onChange: (kind: SpotKind) => void
}

function KindField({ kind, onChange }: KindFieldProps) {
  return (
    <Select
      label="Kind"
      options={[
        { value: 'sound', label: 'Sound, with an optional image' },
        { value: 'card', label: 'Silent card' },
      ]}
      value={kind}
      onChange={({ target }) => onChange(target.value === 'card' ? 'card' : 'sound')}
    />
  )
}

interface SpotToSave {
  spot: AdminSpot | null
  cover: ReturnType<typeof useCover>
  audio: Upload
  onSavingChange: (isSaving: boolean) => void
}

function useSaveSpot({ spot, cover, audio, onSavingChange }: SpotToSave, onDone: () => void) {
  return useAdminMutation<SpotForm, AdminSpot>({
    async run(form) {
      const body = { ...toSpotFields(form), cover_path: await cover.path() }
      const audio_path = form.kind === 'sound' ? await audio.finish() : undefined
      if (!spot) return call(createSpot, { body: { kind: form.kind, ...body, audio_path } })
      return call(updateSpot, { params: { id: spot.id }, body: { ...body, audio_path } })
    },
    onSavingChange,
    refresh: ['spots'],
    done: 'Spot saved',
    onDone,
    failed: (error) => showReason(error, 'Failed to save the spot'),
  })
}

interface LinkAndDatesProps {
  form: SpotForm
  change: (changes: Partial<SpotForm>) => void
  problems: SpotProblems
}

function LinkAndDates({ form, change, problems }: LinkAndDatesProps) {
  const categories = useSpotCategories()
  return (
    <>
      <div className={formStyles.pair}>
        <TextField
          label="Link"
          type="url"
          inputMode="url"
          placeholder="https://example.com"
          maxLength={spotLinkMaxLength}
          spellCheck={false}
          value={form.link_url}
          error={problems.link_url}
          onChange={({ target }) => change({ link_url: target.value })}
        />
        <TextField
          label="Link text"
          placeholder="Learn more"
          maxLength={spotLabelMaxLength}
          value={form.link_label}
          onChange={({ target }) => change({ link_label: target.value })}
        />
      </div>
      <div className={formStyles.pair}>
        <TextField
          label="Start date"
          type="date"
          value={form.first_day}
          onChange={({ target }) => change({ first_day: target.value })}
        />
        <TextField
          label="End date"
          type="date"
          value={form.last_day}
          error={problems.last_day}
          onChange={({ target }) => change({ last_day: target.value })}
        />
      </div>
      <ChoicesField
        label="Only after songs in"
        hint="Without a category, it can follow any song."
        placeholder="Add a category"
        max={50}
        options={categories}
        value={form.category_ids}
        onChange={(category_ids) => change({ category_ids })}
      />
      <Switch
        label="On"
        hint="If off, the spot is not used, and its statistics are kept"
        checked={form.is_on}
        onChange={({ target }) => change({ is_on: target.checked })}
      />
    </>
  )
}
