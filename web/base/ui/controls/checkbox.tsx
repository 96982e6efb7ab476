// A checkbox that is submitted with a form or selects rows.
import { IconCheck, IconMinus } from '../icons/icons.ts'
import { useEffect, useRef, type ComponentProps } from 'react'
import styles from './checkbox.module.css'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'className' | 'type' | 'ref'> {
  label: string
  hideLabel?: boolean
  /** True if only some of the items that it represents are selected. */
  indeterminate?: boolean
  ref?: (element: HTMLInputElement | null) => void
}

export function Checkbox({
  label,
  hideLabel,
  indeterminate = false,
  ref,
  ...input
}: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate
  }, [indeterminate])
  return (
    <label className={styles.row}>
      <span className={styles.mark}>
        <input
          {...input}
          ref={(element) => {
            box.current = element
            ref?.(element)
          }}
          className={styles.box}
          type="checkbox"
          aria-label={hideLabel ? label : undefined}
        />
        {indeterminate ? <IconMinus aria-hidden="true" /> : <IconCheck aria-hidden="true" />}
      </span>
      {!hideLabel && <span>{label}</span>}
    </label>
  )
}
