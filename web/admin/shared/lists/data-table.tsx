// A back-office table. Shows a loading, error or empty state when there are no rows. Long lists render only the visible
// rows.
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { ErrorState } from '../../../base/ui/display/error-state.tsx'
import { keepRowFocus } from '../../../base/ui/lists/keep-row-focus.ts'
import { Skeleton } from '../../../base/ui/display/skeleton.tsx'
import { Switch } from '../../../base/ui/controls/switch.tsx'
import { Table } from '../../../base/ui/lists/table.tsx'
import { errorText } from '../../../base/api/show-error.ts'
import { showFailure } from '../admin-failure.ts'
import styles from './data-table.module.css'
import { chooseTableDensity, useTableDensity, type TableDensity } from './table-density.ts'

export interface ListQuery {
  isPending: boolean
  isFetching: boolean
  isPlaceholderData?: boolean
  error: Error | null
  refetch: () => unknown
}

export type DataTableProps = DataTableHead & {
  label: string
  query: ListQuery
  /** Title of the error state, such as 'Failed to load users'. */
  failedTitle: string
  /** Called with an error. By default shows a toast with the title 'Error' and the text `failedTitle`. */
  onFailed?: (error: Error) => void
  /** Shown instead of the table when there are no rows. */
  empty: ReactNode
  /** The rows. If there are none, `empty` is shown. */
  children: ReactNode[]
  /**
   * True to show rows as cards on phones. The row heading is on top, a cell with `data-corner` beside it, and the other
   * cells below, labeled by their `data-label`. On tablets, cells with `data-wide` are hidden.
   */
  stacked?: boolean
  /** True if rows have several lines. Such rows keep their vertical padding in compact density. */
  tall?: boolean
  /** Rendered below the table: the number of rows, and the pagination. */
  footer?: ReactNode
  /** False if another table on the screen already shows the density switch. */
  hasDensitySwitch?: boolean
}

/** The heading of a column. `number` is for numeric columns, which are right-aligned. */
export type DataColumn = string | { number: string }

/** Either the columns, or the cells of the heading row if these are more than texts. */
export type DataTableHead =
  | { columns: readonly DataColumn[]; head?: undefined; columnCount?: undefined }
  | { columns?: undefined; head: ReactNode; columnCount: number }

const skeletonRows = 18

export function DataTable(props: DataTableProps) {
  const { label, query, failedTitle, onFailed, empty, children } = props
  const { stacked, tall, footer, hasDensitySwitch = true } = props
  const columnCount = props.columns ? props.columns.length : props.columnCount
  const head = props.columns ? props.columns.map(columnHeading) : props.head
  const density = useTableDensity()
  useFailureToast(query.error, (error) =>
    onFailed ? onFailed(error) : showFailure(error, failedTitle),
  )
  return (
    <div ref={keepRowFocus} className={styles.frame} data-density={density}>
      {query.isPending ? (
        <div
          className={styles.table}
          data-stacked={stacked || undefined}
          data-tall={tall || undefined}
          aria-busy="true"
        >
          <Table label={label}>
            <thead>
              <tr>{head}</tr>
            </thead>
            <tbody>{skeletons(columnCount)}</tbody>
          </Table>
        </div>
      ) : query.error && children.length === 0 ? (
        <ErrorState
          title={failedTitle}
          message={errorText(query.error)}
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      ) : children.length === 0 ? (
        empty
      ) : (
        <>
          <div
            className={styles.table}
            data-stacked={stacked || undefined}
            data-tall={tall || undefined}
            data-stale={query.isPlaceholderData || undefined}
          >
            <Table label={label}>
              <thead>
                <tr>{head}</tr>
              </thead>
              <tbody>{children}</tbody>
            </Table>
          </div>
          {(footer || hasDensitySwitch) && (
            <footer className={styles.footer} data-bare={!footer || undefined}>
              {footer && <div className={styles.pages}>{footer}</div>}
              {hasDensitySwitch && <DensitySwitch density={density} />}
            </footer>
          )}
        </>
      )}
    </div>
  )
}

function DensitySwitch({ density }: { density: TableDensity }) {
  return (
    <div className={styles.density}>
      <Switch
        label="Comfortable"
        checked={density === 'comfortable'}
        onChange={({ target }) => chooseTableDensity(target.checked ? 'comfortable' : 'compact')}
      />
    </div>
  )
}

/** Shows each new error once as a toast. The table shows the error, too. */
export function useFailureToast(error: Error | null, show: (error: Error) => void): void {
  const onFailure = useEffectEvent(show)
  useEffect(() => {
    if (error) onFailure(error)
  }, [error])
}

function columnHeading(column: DataColumn): ReactNode {
  const isNumber = typeof column !== 'string'
  const name = isNumber ? column.number : column
  return (
    <th key={name} scope="col" data-numeric={isNumber || undefined}>
      {name}
    </th>
  )
}

function skeletons(columnCount: number): ReactNode[] {
  return Array.from({ length: skeletonRows }, (_, row) => (
    <tr key={row}>
      {Array.from({ length: columnCount }, (__, column) => (
        <td key={column}>
          <Skeleton shape="text" width={`${[70, 45, 60, 50][(row + column) % 4]}%`} />
        </td>
      ))}
    </tr>
  ))
}
