// Checkboxes to select one row or all rows of a list.
import { Checkbox } from '../../../base/ui/controls/checkbox.tsx'
import type { RowSelection } from './use-selection.ts'

export interface PageCheckboxProps {
  /** Name for screen readers, such as 'Select all people on this page'. */
  label: string
  ids: readonly string[]
  selection: RowSelection
}

export function PageCheckbox({ label, ids, selection }: PageCheckboxProps) {
  const count = selection.chosen.size
  return (
    <th scope="col" data-tight>
      <Checkbox
        label={label}
        hideLabel
        disabled={ids.length === 0}
        checked={ids.length > 0 && count === ids.length}
        indeterminate={count > 0 && count < ids.length}
        onChange={(event) => selection.chooseMany(event.target.checked ? ids : [])}
      />
    </th>
  )
}

export interface RowCheckboxProps {
  /** Name of the row for screen readers, such as 'zoe@example.com'. */
  name: string
  id: string
  selection: RowSelection
}

export function RowCheckbox({ name, id, selection }: RowCheckboxProps) {
  return (
    <td data-tight>
      <Checkbox
        label={`Select ${name}`}
        hideLabel
        checked={selection.isChosen(id)}
        onChange={(event) => selection.choose(id, event.target.checked)}
      />
    </td>
  )
}
