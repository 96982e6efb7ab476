// The tools above a list of tracks: the sort menu and the button that starts the selection mode. While rows are
// selected, a sticky bar with bulk actions replaces them.
import { IconSelectAll } from '#web/base/ui/icons/icons.ts'
import { useId } from 'react'
import { Button } from '../../../base/ui/controls/button.tsx'
import type { TrackSort } from '../queries/track-queries.ts'
import {
  startSelecting,
  useIsSelecting,
  type TrackSelection,
} from '../selection/track-selection.ts'
import { sortLabels } from '../queries/track-sort.ts'
import styles from './list-tools.module.css'
import { SelectionBar, type SelectionBarProps } from './selection-bar.tsx'

export interface ListToolsProps extends Omit<SelectionBarProps, 'selection'> {
  selection: TrackSelection
  sort: TrackSort
  onSort: (sort: TrackSort) => void
  /** Label of the list's default order, such as `Newest first` or `Playlist order`. */
  ownOrder: string
}

export function ListTools({ selection, sort, onSort, ownOrder, ...bar }: ListToolsProps) {
  const isSelecting = useIsSelecting(selection)
  return (
    <div className={styles.tools} data-choosing={isSelecting || undefined}>
      {isSelecting ? (
        <SelectionBar selection={selection} {...bar} />
      ) : (
        <>
          <Button
            variant="quiet"
            size="small"
            icon={<IconSelectAll />}
            onClick={() => startSelecting(selection)}
          >
            Select
          </Button>
          <SortSelect {...{ sort, onSort, ownOrder }} />
        </>
      )}
    </div>
  )
}

function SortSelect({
  sort,
  onSort,
  ownOrder,
}: Pick<ListToolsProps, 'sort' | 'onSort' | 'ownOrder'>) {
  const id = useId()
  const at = sortLabels.findIndex(
    ({ sort: known }) => known.order === sort?.order && known.direction === sort.direction,
  )
  const options = sortLabels.filter(({ label }) => label !== ownOrder)
  return (
    <span className={styles.sort}>
      <label htmlFor={id} className={styles.label}>
        Sort
      </label>
      <select
        id={id}
        className={styles.select}
        value={sort ? sortLabels[at]?.label : ownOrder}
        onChange={({ target }) =>
          onSort(options.find(({ label }) => label === target.value)?.sort ?? null)
        }
      >
        <option value={ownOrder}>{ownOrder}</option>
        {options.map(({ label }) => (
          <option key={label} value={label}>
            {label}
          </option>
        ))}
      </select>
    </span>
  )
}
