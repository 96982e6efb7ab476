// The value of one rule, in the control for its field.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { listArtists } from '#contract/artists.ts'
import { listTracks } from '#contract/tracks.ts'
import type { SmartRule } from '#contract/fields/smart-rules.ts'
import { call } from '../../base/api/api.ts'
import { categoriesQuery } from '../catalogue/queries/categories-query.ts'
import { SearchCombobox } from '../../base/ui/controls/search-combobox.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { useSettled } from '../../base/ui/layout/use-settled.ts'
import styles from './rule-editor.module.css'

type RuleOf<Kind extends SmartRule['kind']> = Extract<SmartRule, { kind: Kind }>

export interface RuleValueProps<Rule extends SmartRule = SmartRule> {
  rule: Rule
  /** The accessible name: 'Value of rule 2'. */
  label: string
  onChange: (rule: SmartRule) => void
}

export function RuleValue({ rule, label, onChange }: RuleValueProps) {
  switch (rule.kind) {
    case 'text':
      return rule.field === 'category' ? (
        <CategoryValue {...{ rule, label, onChange }} />
      ) : (
        <TextField
          label={label}
          hideLabel
          maxLength={200}
          value={rule.value}
          onChange={({ target }) => onChange({ ...rule, value: target.value })}
        />
      )
    case 'number':
      return <NumberValue {...{ rule, label, onChange }} />
    case 'days':
      return (
        <WithUnit unit="days">
          <TextField
            label={label}
            hideLabel
            type="number"
            min={1}
            max={3650}
            value={Number.isNaN(rule.value) ? '' : rule.value}
            onChange={({ target }) => onChange({ ...rule, value: target.valueAsNumber })}
          />
        </WithUnit>
      )
    case 'day':
      return (
        <TextField
          label={label}
          hideLabel
          type="date"
          value={rule.value}
          onChange={({ target }) => onChange({ ...rule, value: target.value })}
        />
      )
    case 'sounds_like':
      return <SimilarValue key={rule.what} {...{ rule, label, onChange }} />
    case 'liked':
      return null
  }
}

function WithUnit({ unit, children }: { unit: string; children: ReactNode }) {
  return (
    <span className={styles.withUnit}>
      {children}
      <span className={styles.unit}>{unit}</span>
    </span>
  )
}

const secondsPerMinute = 60
const units = { duration: 'minutes', bpm: 'BPM', plays: 'times' } as const

function NumberValue({ rule, label, onChange }: RuleValueProps<RuleOf<'number'>>) {
  const factor = rule.field === 'duration' ? secondsPerMinute : 1
  return (
    <WithUnit unit={units[rule.field]}>
      <TextField
        label={label}
        hideLabel
        type="number"
        min={0}
        step={rule.field === 'duration' ? 0.5 : 1}
        value={Number.isNaN(rule.value) ? '' : rule.value / factor}
        onChange={({ target }) => onChange({ ...rule, value: target.valueAsNumber * factor })}
      />
    </WithUnit>
  )
}

function CategoryValue({ rule, label, onChange }: RuleValueProps<RuleOf<'text'>>) {
  const { data = [] } = useQuery(categoriesQuery)
  const options = data.map(({ category, display_name }) => ({
    value: category,
    label: display_name,
  }))
  return (
    <Select
      label={label}
      hideLabel
      placeholder="Choose a category"
      options={options}
      value={rule.value}
      onChange={({ target }) => onChange({ ...rule, value: target.value })}
    />
  )
}

const typingPauseMs = 200
const maxFound = 8

function SimilarValue({ rule, label, onChange }: RuleValueProps<RuleOf<'sounds_like'>>) {
  const [text, setText] = useState(rule.name)
  const q = useSettled(text.trim(), typingPauseMs)
  const found = useQuery({
    queryKey: ['tracks', 'similar-seeds', rule.what, q] as const,
    queryFn: ({ signal }) => findSeeds(rule.what, q, signal),
    enabled: q !== '' && q !== rule.name,
    placeholderData: keepPreviousData,
  })
  const options = found.data ?? []
  return (
    <SearchCombobox
      label={label}
      hideLabel
      placeholder={rule.what === 'track' ? 'Search for a track' : 'Search for an artist'}
      value={text}
      options={options}
      isSearching={found.isFetching}
      onChange={(value) => {
        const seed = options.find((option) => option.value === value)
        setText(seed?.label ?? value)
        onChange({ ...rule, id: seed?.value ?? '', name: seed?.label ?? '' })
      }}
    />
  )
}

async function findSeeds(what: 'track' | 'artist', q: string, signal: AbortSignal) {
  const query = { q, limit: maxFound }
  if (what === 'artist') {
    const { data } = await call(listArtists, { query }, { signal })
    return data.map(({ id, name }) => ({ value: id, label: name }))
  }
  const { data } = await call(listTracks, { query }, { signal })
  return data.map(({ id, title, artist }) => ({ value: id, label: `${title} · ${artist}` }))
}
