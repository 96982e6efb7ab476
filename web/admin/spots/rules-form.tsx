// Form for when free members hear a spot, and for the card that is shown while there are no spots.
import { useState, type FormEvent } from 'react'
import { spotLimits, type SpotRules } from '#contract/admin/service/admin-spots.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { useSaveRules } from './spot-queries.ts'
import styles from './spots-screen.module.css'

type NumberField = keyof typeof spotLimits

/** The number fields. `empty` is the value that an empty field stands for. */
const fields: Record<NumberField, { label: string; hint: string; least: number; empty?: null }> = {
  every_songs: {
    label: 'Songs between spots',
    hint: 'A member gets at most one spot per this many songs',
    least: 1,
  },
  per_hour: { label: 'Spots per hour', hint: 'Maximum for each member', least: 1 },
  skip_after_seconds: {
    label: 'Skippable after (seconds)',
    hint: 'Leave empty to prevent skipping',
    least: 0,
    empty: null,
  },
}
const names = Object.keys(fields) as NumberField[]

type Texts = Record<NumberField, string>

const toTexts = (rules: SpotRules): Texts => ({
  every_songs: String(rules.every_songs),
  per_hour: String(rules.per_hour),
  skip_after_seconds: String(rules.skip_after_seconds ?? ''),
})

/** Returns undefined if the text is not a number within the limits of the field. */
function parseValue(name: NumberField, text: string): number | null | undefined {
  if (text.trim() === '') return fields[name].empty
  const value = Number(text)
  const isInside = value >= fields[name].least && value <= spotLimits[name]
  return Number.isInteger(value) && isInside ? value : undefined
}

export function RulesForm({ rules }: { rules: SpotRules }) {
  const [edited, setEdited] = useState<{ texts: Texts; offers_premium: boolean } | null>(null)
  const [isChecked, setIsChecked] = useState(false)
  const saving = useSaveRules(() => setEdited(null))
  const form = edited ?? { texts: toTexts(rules), offers_premium: rules.offers_premium }
  const findProblem = (name: NumberField) =>
    parseValue(name, form.texts[name]) === undefined
      ? `Enter a number from ${fields[name].least} to ${spotLimits[name]}`
      : undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    setIsChecked(true)
    const { every_songs, per_hour, skip_after_seconds } = form.texts
    const body = {
      every_songs: parseValue('every_songs', every_songs),
      per_hour: parseValue('per_hour', per_hour),
      skip_after_seconds: parseValue('skip_after_seconds', skip_after_seconds),
    }
    if (!body.every_songs || !body.per_hour || body.skip_after_seconds === undefined) return
    const { every_songs: songs, per_hour: hourly, skip_after_seconds: skip } = body
    if (saving.isPending) return
    saving.mutate({
      every_songs: songs,
      per_hour: hourly,
      skip_after_seconds: skip,
      offers_premium: form.offers_premium,
    })
  }
  return (
    <form className={styles.rules} aria-label="How often" noValidate onSubmit={submit}>
      <h2 className={styles.heading}>How often</h2>
      <div className={styles.numbers}>
        {names.map((name) => (
          <TextField
            key={name}
            label={fields[name].label}
            hint={fields[name].hint}
            type="number"
            inputMode="numeric"
            value={form.texts[name]}
            error={isChecked ? findProblem(name) : undefined}
            onChange={({ target }) =>
              setEdited({ ...form, texts: { ...form.texts, [name]: target.value } })
            }
          />
        ))}
      </div>
      <Switch
        label="Offer Premium"
        hint="Without a spot to play, a silent card offers Premium while the music continues"
        checked={form.offers_premium}
        onChange={({ target }) => setEdited({ ...form, offers_premium: target.checked })}
      />
      <div>
        <Button type="submit" variant="primary" busy={saving.isPending}>
          Save Rules
        </Button>
      </div>
    </form>
  )
}
