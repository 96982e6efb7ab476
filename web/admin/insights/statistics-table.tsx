// A paginated Insights table with one row per item and one column per statistic.
import type { ReactNode } from 'react'
import type { paginate } from '#contract/fields/pagination.ts'
import { DataTable, type ListQuery } from '../shared/lists/data-table.tsx'
import { PageNote } from '../shared/lists/page-note.tsx'
import styles from './insights-screen.module.css'

export interface StatisticColumn<Row> {
  label: string
  /** True for a column of text, such as dates or names. Other columns are numeric and right-aligned. */
  isText?: boolean
  show: (row: Row) => ReactNode
}

export interface StatisticsTableProps<Row> {
  /** The id of the heading element. */
  id: string
  title: string
  /** A control beside the title. */
  choice?: ReactNode
  /** The table's name for screen readers. */
  label: string
  failedTitle: string
  query: ListQuery & {
    data?: { data: readonly Row[]; pagination: ReturnType<typeof paginate> } | undefined
  }
  /** Heading of the first column, which contains names. */
  nameLabel: string
  keyOf: (row: Row) => string
  showName: (row: Row) => ReactNode
  columns: readonly StatisticColumn<Row>[]
  empty: ReactNode
  onPage: (page: number) => void
}

export function StatisticsTable<Row>(props: StatisticsTableProps<Row>) {
  const { id, title, choice, query, columns, keyOf, showName, onPage } = props
  const { data } = query
  return (
    <section className={styles.tracks} aria-labelledby={id}>
      <header className={styles.tracksHeader}>
        <h2 id={id}>{title}</h2>
        {choice}
      </header>
      <DataTable
        label={props.label}
        stacked
        query={query}
        failedTitle={props.failedTitle}
        hasDensitySwitch={false}
        columns={[
          props.nameLabel,
          ...columns.map(({ label, isText }) => (isText ? label : { number: label })),
        ]}
        empty={props.empty}
        footer={
          data &&
          data.pagination.total > 0 && (
            <PageNote label={title} pagination={data.pagination} onChange={onPage} />
          )
        }
      >
        {(data?.data ?? []).map((row) => (
          <tr key={keyOf(row)}>
            <th scope="row">{showName(row)}</th>
            {columns.map(({ label, isText, show }) => (
              <td key={label} data-numeric={!isText || undefined} data-label={label}>
                {show(row)}
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
    </section>
  )
}
