// Parts of a compact table: a sticky heading, sortable columns, and a scroller for wide tables in narrow windows.
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '../icons/icons.ts'
import type { ComponentProps, ReactNode } from 'react'
import styles from './table.module.css'

export interface TableProps extends Omit<ComponentProps<'table'>, 'className'> {
  /** Accessible name of the table. */
  label: string
  /** `thead` and `tbody`. */
  children: ReactNode
}

export function Table({ label, children, ...table }: TableProps) {
  return (
    <div className={styles.scroller} role="region" aria-label={label} tabIndex={0}>
      <table {...table} className={styles.table} aria-label={label}>
        {children}
      </table>
    </div>
  )
}

export type SortDirection = 'ascending' | 'descending'

export interface SortHeaderProps {
  children: string
  /** Undefined if the table is sorted by another column. */
  direction: SortDirection | undefined
  onSort: (direction: SortDirection) => void
  numeric?: boolean
  /** True for columns that tables hide in narrow windows. */
  wide?: boolean
}

export function SortHeader({ children, direction, onSort, numeric, wide }: SortHeaderProps) {
  const Arrow = direction === 'ascending' ? IconArrowUp : direction ? IconArrowDown : IconArrowsSort
  return (
    <th
      scope="col"
      aria-sort={direction ?? 'none'}
      data-numeric={numeric || undefined}
      data-wide={wide || undefined}
    >
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort(direction === 'ascending' ? 'descending' : 'ascending')}
      >
        {children}
        <Arrow aria-hidden="true" />
      </button>
    </th>
  )
}
