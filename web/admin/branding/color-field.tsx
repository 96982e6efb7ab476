// Field for the accent color: a preset, the browser's color picker, or a typed value.
import type { CSSProperties } from 'react'
import { Field } from '../../base/ui/controls/field.tsx'
import { DefaultButton } from './default-button.tsx'
import { isColor } from './branding-form.ts'
import styles from './branding.module.css'
import control from '../../base/ui/controls/control.module.css'

export interface ColorFieldProps {
  value: string
  error: string | undefined
  onChange: (color: string) => void
}

const choices = [
  ['#e0566f', 'Rose'],
  ['#e2762f', 'Amber'],
  ['#c9a227', 'Gold'],
  ['#3f9c5a', 'Green'],
  ['#1f9aa8', 'Teal'],
  ['#3d74e0', 'Blue'],
  ['#7a5ae0', 'Violet'],
  ['#b84bb8', 'Orchid'],
] as const
const startColor = choices[0][0]

export function ColorField({ value, error, onChange }: ColorFieldProps) {
  return (
    <Field
      label="Accent color"
      hint="Used for buttons, links and the playing track. Readable shades are generated for both themes."
      error={error}
      aside={
        <DefaultButton of="Accent color" isShown={value !== ''} onClick={() => onChange('')} />
      }
    >
      {(field) => (
        <div className={styles.colors}>
          <input
            type="color"
            className={styles.picker}
            aria-label="Pick the accent color"
            value={isColor(value) ? value : startColor}
            onChange={(event) => onChange(event.target.value)}
          />
          <span className={`${control.control} ${styles.hex}`}>
            <input
              {...field}
              className={control.input}
              placeholder="Default"
              maxLength={7}
              spellCheck={false}
              autoCapitalize="none"
              value={value}
              onChange={(event) => onChange(event.target.value.trim().toLowerCase())}
            />
          </span>
          <div className={styles.swatches} role="group" aria-label="Suggested colors">
            {choices.map(([color, name]) => (
              <button
                key={color}
                type="button"
                className={styles.swatch}
                style={{ '--swatch': color } as CSSProperties}
                aria-label={name}
                aria-pressed={value === color}
                data-tooltip={name}
                onClick={() => onChange(color)}
              />
            ))}
          </div>
        </div>
      )}
    </Field>
  )
}
