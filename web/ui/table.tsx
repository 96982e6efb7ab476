// Pieces of a dense, calm table: a heading that stays, columns that sort, a scroller that keeps a wide
// table inside a narrow window.
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import styles from './table.module.css'

export interface TableProps extends Omit<ComponentProps<'table'>, 'className'> {
  /** Names the table for screen readers. */
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
  /** Undefined while another column decides the order. */
  direction: SortDirection | undefined
  onSort: (direction: SortDirection) => void
  numeric?: boolean
  /** Marked for tables that leave the column out in narrow windows. */
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
