// Actions for the selected uploaded tracks, and suggestions to add genres that the files have and the library doesn't.
import { IconPlus, IconX } from '#web/base/ui/icons/icons.ts'
import { useState, type FormEvent } from 'react'
import { createGenre } from '#contract/admin/admin-genres.ts'
import type { ImportedTrack } from '#contract/admin/track-imports.ts'
import { aiDisclosureLabels, aiDisclosures } from '#contract/fields/ai-disclosure.ts'
import { maxMoodLength } from '#contract/tracks.ts'
import { call } from '../../base/api/api.ts'
import { useMay } from '../../base/session/use-may.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { useCategoryOptions, useGenreOptions } from '../track-data/track-queries.ts'
import { ScheduleButton } from '../availability/schedule-button.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { OriginsButton } from './origins-button.tsx'
import {
  collectFoundGenres,
  withCategory,
  withFirstCategory,
  withMood,
  withTag,
  type Draft,
  type TrackValues,
} from './batch-draft.ts'
import styles from './batch-editor.module.css'
import layout from '../../base/ui/layout/layout.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export interface BatchActionsProps {
  tracks: readonly ImportedTrack[]
  chosen: readonly ImportedTrack[]
  draft: Draft
  onChange: (
    tracks: readonly ImportedTrack[],
    changesOf: (values: TrackValues, track: ImportedTrack) => Partial<TrackValues>,
  ) => void
  onChooseNone: () => void
}

/** The option that removes the category or genre. No name has this form. */
const none = ' '

export function BatchActions({ tracks, chosen, draft, onChange, onChooseNone }: BatchActionsProps) {
  const genres = useGenreOptions()
  const isEditor = useMay('editor')
  return (
    <div className={layout.stack3}>
      {isEditor && (
        <FoundGenres
          tracks={tracks}
          draft={draft}
          known={genres.data?.map(({ value }) => value)}
          onChange={onChange}
        />
      )}
      {chosen.length === 0 ? (
        <p className={styles.hint}>
          Select tracks to publish them, or to set artist, category, genre, tags and more for all of
          them. Use the arrow keys to move between rows.
        </p>
      ) : (
        <SelectionActions {...{ chosen, onChange, onChooseNone }} />
      )}
    </div>
  )
}

type SelectionActionsProps = Pick<BatchActionsProps, 'chosen' | 'onChange' | 'onChooseNone'>

function SelectionActions({ chosen, onChange, onChooseNone }: SelectionActionsProps) {
  const isEditor = useMay('editor')
  const categories = useCategoryOptions()
  const genres = useGenreOptions()
  const set = (changes: Partial<TrackValues>) => onChange(chosen, () => changes)
  const orNull = (value: string) => (value === none ? null : value)
  return (
    <div className={styles.bar} role="region" aria-label="Edit selected tracks">
      <span className={styles.chosenCount} role="status">
        {formatCount(chosen.length, 'track', 'tracks')} selected
      </span>
      <TextSetter label="Artist" act="Set" maxLength={200} onSet={(artist) => set({ artist })} />
      <TextSetter
        label="Tag"
        act="Add"
        maxLength={50}
        onSet={(tag) => onChange(chosen, (values) => withTag(values, tag))}
      />
      <TextSetter
        label="Mood"
        act="Add"
        maxLength={maxMoodLength}
        onSet={(mood) => onChange(chosen, (values) => withMood(values, mood))}
      />
      <Setter
        label="Category"
        options={[...(categories.data ?? []), { value: none, label: 'No category' }]}
        onSet={(value) => onChange(chosen, (values) => withFirstCategory(values, orNull(value)))}
      />
      <Setter
        label="Additional category"
        options={categories.data ?? []}
        onSet={(value) => onChange(chosen, (values) => withCategory(values, value))}
      />
      <Setter
        label="Genre"
        options={[...(genres.data ?? []), { value: none, label: 'No genre' }]}
        onSet={(value) => set({ genre: orNull(value) })}
      />
      <Setter
        label="Disclosure"
        options={aiDisclosures.map((value) => ({ value, label: aiDisclosureLabels[value] }))}
        onSet={(value) => {
          const ai_disclosure = aiDisclosures.find((one) => one === value)
          if (ai_disclosure) set({ ai_disclosure })
        }}
      />
      <Setter
        label="Explicit"
        options={[
          { value: 'yes', label: 'Explicit' },
          { value: 'no', label: 'Not explicit' },
        ]}
        onSet={(value) => set({ explicit: value === 'yes' })}
      />
      {isEditor && <PublishActions {...{ chosen, onChange }} />}
      <OriginsButton chosen={chosen} />
      <IconButton label="Clear selection" onClick={onChooseNone}>
        <IconX />
      </IconButton>
    </div>
  )
}

function PublishActions({ chosen, onChange }: Pick<BatchActionsProps, 'chosen' | 'onChange'>) {
  // Leave out tracks that failed processing, because they can't be published.
  const publish = (is_published: boolean) =>
    onChange(chosen, (_, track) =>
      track.processing_status === 'failed' ? {} : { is_published, release_at: null },
    )
  return (
    <>
      <Setter
        label="Published"
        options={[
          { value: 'yes', label: 'Publish' },
          { value: 'no', label: 'Unpublish' },
        ]}
        onSet={(value) => publish(value === 'yes')}
      />
      <ScheduleButton
        what={formatCount(chosen.length, 'track', 'tracks')}
        onSchedule={(body) => onChange(chosen, () => ({ ...body, is_published: false }))}
      />
    </>
  )
}

interface SetterProps {
  label: string
  options: readonly { value: string; label: string }[]
  onSet: (value: string) => void
}

/** A select whose choice is applied at once. It then returns to its label. */
function Setter({ label, options, onSet }: SetterProps) {
  return (
    <span className={styles.setter}>
      <Select
        label={`Set ${label.toLowerCase()}`}
        hideLabel
        placeholder={label}
        options={options}
        value=""
        onChange={(event) => event.target.value && onSet(event.target.value)}
      />
    </span>
  )
}

interface TextSetterProps {
  label: string
  /** Text of the button. */
  act: string
  maxLength: number
  onSet: (typed: string) => void
}

function TextSetter({ label, act, maxLength, onSet }: TextSetterProps) {
  const [typed, setTyped] = useState('')
  function submit(event: FormEvent) {
    event.preventDefault()
    if (typed.trim() === '') return
    onSet(typed.trim())
    setTyped('')
  }
  return (
    <form className={styles.words} onSubmit={submit}>
      <TextField
        label={`${act} ${label.toLowerCase()}`}
        hideLabel
        placeholder={label}
        value={typed}
        maxLength={maxLength}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button
        size="small"
        type="submit"
        aria-label={`${act} ${label.toLowerCase()} for selected tracks`}
      >
        {act}
      </Button>
    </form>
  )
}

type GenreGroup = ReturnType<typeof collectFoundGenres>[number]

interface FoundGenresProps extends Pick<BatchActionsProps, 'tracks' | 'draft' | 'onChange'> {
  /** The genres of the library. Undefined until they are loaded. */
  known: readonly string[] | undefined
}

function FoundGenres({ tracks, draft, known, onChange }: FoundGenresProps) {
  const adding = useAdminMutation<{ name: string; tracks: ImportedTrack[] }, string>({
    async run({ name }) {
      if (known?.includes(name)) return name
      return (await call(createGenre, { body: { name } })).name
    },
    refresh: ['genres'],
    onDone: (genre, group) => onChange(group.tracks, () => ({ genre })),
    failed: 'Failed to create genre',
  })
  const groups = known ? collectFoundGenres(tracks, draft, known) : []
  const addingAll = useAdminMutation<readonly GenreGroup[], Map<string, string>>({
    async run(all) {
      const names = new Map<string, string>()
      for (const { name } of all) {
        const isKnown = known?.includes(name) === true
        names.set(name, isKnown ? name : (await call(createGenre, { body: { name } })).name)
      }
      return names
    },
    refresh: ['genres'],
    onDone(names, all) {
      for (const group of all) {
        const genre = names.get(group.name)
        if (genre !== undefined) onChange(group.tracks, () => ({ genre }))
      }
    },
    failed: 'Failed to create genre',
  })
  if (groups.length === 0) return null
  const isBusy = adding.isPending || addingAll.isPending
  return (
    <div className={layout.line2} role="group" aria-label="Genres found in the files">
      <span className={textStyles.softSmall}>New genres in the files:</span>
      {groups.length > 1 && (
        <Button
          size="small"
          variant="primary"
          icon={<IconPlus />}
          busy={addingAll.isPending}
          disabled={isBusy}
          onClick={() => addingAll.mutate(groups)}
        >
          Set all {groups.length.toLocaleString('en')}
        </Button>
      )}
      {groups.slice(0, 8).map((group) => (
        <Button
          key={group.name}
          size="small"
          icon={<IconPlus />}
          busy={adding.isPending && adding.variables.name === group.name}
          disabled={isBusy}
          onClick={() => adding.mutate(group)}
        >
          {known?.includes(group.name) ? 'Set' : 'Add'} {group.name} for{' '}
          {formatCount(group.tracks.length, 'track', 'tracks')}
        </Button>
      ))}
    </div>
  )
}
