// Selects the days to show, and whether to compare them with the days before. Both are stored in the URL.
import { Checkbox } from '../../base/ui/controls/checkbox.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { rangePresets, type InsightRange } from './insight-range.ts'
import styles from './insights-screen.module.css'

export interface RangeBarProps {
  range: InsightRange
  isCompared: boolean
  onChange: (changes: { range?: string; start?: string; end?: string; compare?: string }) => void
}

export function RangeBar({ range, isCompared, onChange }: RangeBarProps) {
  const choose = (preset: string) =>
    onChange(
      preset === 'custom'
        ? { range: preset, start: range.start, end: range.end }
        : { range: preset === '30' ? '' : preset, start: '', end: '' },
    )
  return (
    <div className={styles.bar}>
      <fieldset className={styles.presets}>
        <legend>Range</legend>
        {rangePresets.map(({ value, label }) => (
          <label key={value} className={styles.preset}>
            <input
              type="radio"
              name="range"
              value={value}
              checked={range.preset === value}
              onChange={() => choose(value)}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {range.preset === 'custom' && (
        <div className={styles.custom}>
          <TextField
            label="Start Date"
            type="date"
            max={range.end}
            value={range.start}
            onChange={({ target }) => target.value && onChange({ start: target.value })}
          />
          <TextField
            label="End Date"
            type="date"
            min={range.start}
            value={range.end}
            onChange={({ target }) => target.value && onChange({ end: target.value })}
          />
        </div>
      )}
      <Checkbox
        label="Compare with previous period"
        checked={isCompared}
        onChange={({ target }) => onChange({ compare: target.checked ? '' : 'off' })}
      />
    </div>
  )
}
