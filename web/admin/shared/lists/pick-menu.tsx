// A button with a menu. The chosen value is set on the selected rows.
import { IconChevronUp } from '#web/base/ui/icons/icons.ts'
import { Button } from '../../../base/ui/controls/button.tsx'
import { Menu, MenuItem } from '../../../base/ui/overlays/menu.tsx'
import type { SelectOption } from '../../../base/ui/controls/select.tsx'

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
