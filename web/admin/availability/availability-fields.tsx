// Form fields for when a track, release or playlist is published, its days of early access, and who can listen.
import { isAudience } from '#contract/fields/availability.ts'
import { earlyAccessMaxDays } from '#contract/availability-input.ts'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import {
  findDaysProblem,
  getLocalZone,
  toReleaseInstant,
  type AvailabilityForm,
} from './availability-form.ts'
import styles from './availability-fields.module.css'
import { formatZoned } from './format-zoned.ts'

export interface AvailabilityFieldsProps {
  form: AvailabilityForm
  onChange: (form: AvailabilityForm) => void
  /** True to hide the date field: an item that is already published has no publication date. */
  isPublished: boolean
  /** A note below the fields. */
  note?: string
}

export const audienceOptions = [
  { value: 'everyone', label: 'Everyone, with a public page' },
  { value: 'members', label: 'Members' },
  { value: 'premium', label: 'Premium only' },
] as const

export function AvailabilityFields(props: AvailabilityFieldsProps) {
  const { form, onChange, isPublished, note } = props
  const change = (changes: Partial<AvailabilityForm>) => onChange({ ...form, ...changes })
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Availability</legend>
      {!isPublished && <ReleaseFields form={form} onChange={change} />}
      <div className={styles.pair}>
        <Select
          label="Audience"
          options={audienceOptions}
          value={form.audience}
          onChange={({ target }) => isAudience(target.value) && change({ audience: target.value })}
        />
        <TextField
          label="Early access for Premium (days)"
          type="number"
          inputMode="numeric"
          min={0}
          max={earlyAccessMaxDays}
          step={1}
          disabled={form.audience === 'premium'}
          hint="Until then, other members hear the preview."
          error={findDaysProblem(form) ?? undefined}
          value={form.early_access_days}
          onChange={(event) => change({ early_access_days: event.target.value })}
        />
      </div>
      {note && <p className={styles.note}>{note}</p>}
    </fieldset>
  )
}

function ReleaseFields({
  form,
  onChange,
}: {
  form: AvailabilityForm
  onChange: (changes: Partial<AvailabilityForm>) => void
}) {
  const { hint, error } = describeRelease(form)
  return (
    <>
      <div className={styles.pair}>
        <TextField
          label="Publish on"
          type="date"
          hint={hint}
          error={error}
          value={form.release_date}
          onChange={(event) => onChange({ release_date: event.target.value })}
        />
        <TextField
          label="At"
          type="time"
          disabled={!form.release_date}
          value={form.release_time}
          onChange={(event) => onChange({ release_time: event.target.value })}
        />
      </div>
      <Select
        label="Time zone"
        options={zoneOptions(form.release_zone)}
        disabled={!form.release_date}
        value={form.release_zone}
        onChange={(event) => onChange({ release_zone: event.target.value })}
      />
    </>
  )
}

function describeRelease(form: AvailabilityForm): { hint?: string; error?: string } {
  const release = toReleaseInstant(form)
  if (!release) return { hint: 'Without a date, it stays hidden.' }
  const { at, resolved } = release
  if (at.getTime() <= Date.now()) return { error: 'This date has passed.' }
  if (resolved === 'skipped') {
    return {
      hint: `Clocks skip this time on that day: ${formatZoned(at, form.release_zone)} is used.`,
    }
  }
  if (resolved === 'repeated')
    return { hint: 'This time occurs twice on that day: the first one is used.' }
  return form.release_zone === getLocalZone()
    ? {}
    : { hint: `${formatZoned(at, getLocalZone())} in your time zone.` }
}

function zoneOptions(current: string) {
  const names = new Set(['UTC', current, getLocalZone(), ...Intl.supportedValuesOf('timeZone')])
  return [...names].toSorted().map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))
}
