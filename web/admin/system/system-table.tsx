// A table of the System screen, with a heading. It has no loading state, because its data is already there.
import type { ReactNode } from 'react'
import { DataTable, type DataTableHead, type ListQuery } from '../shared/lists/data-table.tsx'
import styles from './system-screen.module.css'

export type SystemTableProps = DataTableHead & {
  title: string
  actions?: ReactNode
  stacked?: boolean
  empty?: ReactNode
  footer?: ReactNode
  children: ReactNode[]
}

const settled: ListQuery = {
  isPending: false,
  isFetching: false,
  error: null,
  refetch: () => undefined,
}

export function SystemTable({ title, actions, empty = null, ...table }: SystemTableProps) {
  return (
    <section>
      <div className={styles.head}>
        <h2 className={styles.heading}>{title}</h2>
        {actions}
      </div>
      <DataTable
        {...table}
        label={title}
        query={settled}
        failedTitle=""
        empty={empty}
        hasDensitySwitch={false}
      />
    </section>
  )
}
