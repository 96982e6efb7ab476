// A button that opens a menu of values to set on the selected rows.
import { IconChevronUp } from '@tabler/icons-react'
import { Button } from '../ui/button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import type { SelectOption } from '../ui/select.tsx'

export interface PickMenuProps<Value extends string> {
  label: string
  options: readonly (SelectOption & { value: Value })[]
  onPick: (value: Value) => void
}

export function PickMenu<Value extends string>({ label, options, onPick }: PickMenuProps<Value>) {
  return (
    <Menu
      label={label}
      align="start"
      trigger={
        <Button size="small" icon={<IconChevronUp />}>
          {label}
        </Button>
      }
    >
      {options.map((option) => (
        <MenuItem key={option.value} onSelect={() => onPick(option.value)}>
          {option.label}
        </MenuItem>
      ))}
    </Menu>
  )
}
