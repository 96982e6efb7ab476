// A value shown as text. A click opens a menu to change it.
import { IconSelector } from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import { Menu, MenuItem } from '../../../base/ui/overlays/menu.tsx'
import type { SelectOption } from '../../../base/ui/controls/select.tsx'
import styles from './value-menu.module.css'

export interface ValueMenuProps<Value extends string> {
  /** Name for screen readers, such as 'Role of zoe@example.com'. */
  label: string
  value: Value
  options: readonly (SelectOption & { value: Value })[]
  /** Called when a different value is selected. */
  onChoose: (value: Value) => void
  disabled?: boolean
  /** Rendered instead of the option's text. */
  children?: ReactNode
}

export function ValueMenu<Value extends string>(props: ValueMenuProps<Value>) {
  const { label, value, options, onChoose, disabled, children } = props
  const shown = options.find((option) => option.value === value)?.label ?? value
  return (
    <Menu
      label={label}
      align="start"
      trigger={
        <button
          type="button"
          className={styles.value}
          aria-label={`${label}: ${shown}`}
          disabled={disabled}
        >
          {children ?? shown}
          <IconSelector aria-hidden="true" />
        </button>
      }
    >
      {options.map((option) => (
        <MenuItem
          key={option.value}
          checked={option.value === value}
          onSelect={() => option.value !== value && onChoose(option.value)}
        >
          {option.label}
        </MenuItem>
      ))}
    </Menu>
  )
}
