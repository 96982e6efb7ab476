// A native range input, so arrows, Home, End and touch work everywhere.
import type { CSSProperties } from 'react'
import styles from './slider.module.css'

export interface SliderProps {
  /** Accessible name of the thumb. */
  label: string
  value: number
  min?: number
  max?: number
  step?: number
  onChange: (value: number) => void
  /** Called when the user releases the slider. */
  onCommit?: (value: number) => void
  /** The value that screen readers announce: '1:05 of 3:20' instead of '65'. */
  valueText?: string
  disabled?: boolean
}

export function Slider({
  label,
  value,
  min = 0,
  max = 100,
  step = 1,
  onChange,
  onCommit,
  valueText,
  disabled,
}: SliderProps) {
  const filled = max > min ? (Math.min(Math.max(value, min), max) - min) / (max - min) : 0
  const commit = (event: { currentTarget: HTMLInputElement }) =>
    onCommit?.(event.currentTarget.valueAsNumber)
  return (
    <input
      className={styles.slider}
      style={{ '--filled': filled } as CSSProperties}
      type="range"
      aria-label={label}
      aria-valuetext={valueText}
      min={min}
      max={max}
      step={step}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.valueAsNumber)}
      onPointerUp={commit}
      onKeyUp={commit}
    />
  )
}
