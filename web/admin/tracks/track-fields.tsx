// The fields of a track.
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { maxCategories, maxMoodLength, maxMoods } from '#contract/tracks.ts'
import { Checkbox } from '../../base/ui/controls/checkbox.tsx'
import { ChoicesField } from '../../base/ui/controls/choices-field.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { TagsField } from '../../base/ui/controls/tags-field.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { AvailabilityFields } from '../availability/availability-fields.tsx'
import { CoverField, noCover } from '../shared/cover-field.tsx'
import { FileField } from '../shared/file-field.tsx'
import type { Upload } from '../shared/use-upload.ts'
import { useMay } from '../../base/session/use-may.ts'
import { CreditsField } from './credits-field.tsx'
import { createCreditsFromText, withArtist, withCredits } from './credits-form.ts'
import styles from './track-dialog.module.css'
import {
  disclosureOptions,
  isAiDisclosure,
  type TrackForm,
  type TrackProblems,
} from './track-form.ts'
import { useCategoryOptions, useGenreOptions } from '../track-data/track-queries.ts'
import layout from '../../base/ui/layout/layout.module.css'

export interface TrackFieldsProps {
  form: TrackForm
  onChange: (changes: Partial<TrackForm>) => void
  problems: TrackProblems & { audio?: string }
  /** Null for a new track. */
  track: AdminTrack | null
  audio: Upload
  cover: Upload
  coverRemoved: boolean
  onCoverRemovedChange: (removed: boolean) => void
}

export function TrackFields(props: TrackFieldsProps) {
  const { form, onChange, problems, track, audio, cover } = props
  const isEditor = useMay('editor')
  return (
    <>
      <div className={styles.pair}>
        <FileField
          label="Audio File"
          accept="audio/*"
          upload={audio}
          hint={track ? 'Leave empty to keep current file' : undefined}
          error={audio.state.status === 'idle' ? problems.audio : undefined}
        />
        <CoverField
          upload={cover}
          current={track ?? noCover}
          title={form.title}
          removed={props.coverRemoved}
          onRemovedChange={props.onCoverRemovedChange}
        />
      </div>
      <NameFields {...{ form, onChange, problems }} />
      <LabelFields {...{ form, onChange }} />
      <CreditsField
        credits={form.artists ?? createCreditsFromText(form.artist)}
        onChange={(credits) => onChange(withCredits(credits))}
      />
      <TextArea
        label="Description"
        maxLength={5000}
        value={form.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <TagsField
        label="Tags"
        placeholder="calm, piano, evening"
        hint="Press Enter or comma to add one."
        value={form.tags}
        maxTags={30}
        maxLength={50}
        onChange={(tags) => onChange({ tags })}
      />
      <OriginFields {...{ form, onChange }} />
      <TextArea
        label="Lyrics"
        hint="Plain text, or LRC with timestamps."
        maxLength={50_000}
        value={form.lyrics}
        onChange={(event) => onChange({ lyrics: event.target.value })}
      />
      <div className={styles.pair}>
        <TextField
          label="Duration (seconds)"
          type="number"
          inputMode="numeric"
          step={1}
          hint="Measured automatically after processing."
          value={form.duration}
          error={problems.duration}
          onChange={(event) => onChange({ duration: event.target.value })}
        />
        <TrackFlags {...{ form, onChange }} isReady={track?.processing_status === 'ready'} />
      </div>
      {isEditor && (
        <AvailabilityFields
          form={form.availability}
          onChange={(availability) => onChange({ availability })}
          isPublished={form.is_published}
        />
      )}
    </>
  )
}

type GroupProps = Pick<TrackFieldsProps, 'form' | 'onChange'>

function NameFields(props: GroupProps & { problems: TrackProblems }) {
  const { form, onChange, problems } = props
  const categories = useCategoryOptions()
  const genres = useGenreOptions()
  return (
    <div className={styles.pair}>
      <TextField
        label="Title"
        data-autofocus
        required
        maxLength={200}
        value={form.title}
        error={problems.title}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <TextField
        label="Artist"
        required
        maxLength={200}
        value={form.artist}
        error={problems.artist}
        onChange={(event) => onChange(withArtist(form, event.target.value))}
      />
      <Select
        label="Category"
        placeholder="No category"
        options={withCurrent(categories.data, form.category)}
        value={form.category}
        onChange={(event) => onChange({ category: event.target.value })}
      />
      <Select
        label="Genre"
        placeholder="No genre"
        options={withCurrent(genres.data, form.genre)}
        value={form.genre}
        onChange={(event) => onChange({ genre: event.target.value })}
      />
    </div>
  )
}

/**
 * Further categories and the moods. The track is listed in each of its categories. The select above sets the first one.
 */
function LabelFields({ form, onChange }: GroupProps) {
  const categories = useCategoryOptions()
  const { category, more_categories = [], moods = [] } = form
  return (
    <div className={styles.pair}>
      <ChoicesField
        label="More categories"
        placeholder={category ? 'Add a category' : 'Select a category first'}
        hint="Members find the track in each of these categories."
        options={category ? (categories.data?.filter(({ value }) => value !== category) ?? []) : []}
        value={category ? more_categories.filter((name) => name !== category) : []}
        max={maxCategories - 1}
        onChange={(chosen) => onChange({ more_categories: chosen })}
      />
      <TagsField
        label="Moods"
        placeholder="calm, hopeful"
        hint="Press Enter or comma to add one."
        value={moods}
        maxTags={maxMoods}
        maxLength={maxMoodLength}
        onChange={(chosen) => onChange({ moods: chosen })}
      />
    </div>
  )
}

function OriginFields({ form, onChange }: GroupProps) {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>How it was made</legend>
      <div className={styles.pair}>
        <Select
          label="Disclosure"
          options={disclosureOptions}
          value={form.ai_disclosure}
          onChange={({ target }) =>
            isAiDisclosure(target.value) && onChange({ ai_disclosure: target.value })
          }
        />
        <TextField
          label="Tool"
          placeholder="Name of the AI model or software"
          maxLength={200}
          value={form.ai_tool}
          onChange={(event) => onChange({ ai_tool: event.target.value })}
        />
      </div>
      <TextArea
        label="Credits"
        maxLength={2000}
        value={form.credits}
        onChange={(event) => onChange({ credits: event.target.value })}
      />
    </fieldset>
  )
}

function TrackFlags({ form, onChange, isReady }: GroupProps & { isReady: boolean }) {
  const isEditor = useMay('editor')
  return (
    <div className={layout.stack2}>
      <Checkbox
        label="Explicit"
        checked={form.explicit}
        onChange={(event) => onChange({ explicit: event.target.checked })}
      />
      {isEditor && (
        <Switch
          label="Published"
          hint={
            isReady ? 'Members can see and play it.' : 'Members can see it after it is processed.'
          }
          checked={form.is_published}
          onChange={(event) => onChange({ is_published: event.target.checked })}
        />
      )}
    </div>
  )
}

/** Adds the current value to the options, so that it is shown while they load. */
function withCurrent(options: { value: string; label: string }[] | undefined, current: string) {
  const known = options ?? []
  if (!current || known.some(({ value }) => value === current)) return known
  return [...known, { value: current, label: current }]
}
