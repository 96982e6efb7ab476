// A table of the back office in its states: on its way, failed, empty, some, very many.
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { ErrorState } from '../ui/error-state.tsx'
import { keepRowFocus } from '../ui/keep-row-focus.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { Table } from '../ui/table.tsx'
import { errorText } from '../app/show-error.ts'
import { showFailure } from './admin-failure.ts'
import styles from './data-table.module.css'

export interface ListQuery {
  isPending: boolean
  isFetching: boolean
  isPlaceholderData?: boolean
  error: Error | null
  refetch: () => unknown
}

export interface DataTableProps {
  label: string
  /** The cells of the heading row. */
  head: ReactNode
  columnCount: number
  query: ListQuery
  /** 'Failed to load users'. */
  failedTitle: string
  /** Tells a failure; by default as 'Error' / `failedTitle`. */
  onFailed?: (error: Error) => void
  /** Shown in place of the table when there are no rows. */
  empty: ReactNode
  /** Rows; none: empty. */
  children: ReactNode[]
  /**
   * In narrow windows each row becomes a card: its heading on top, a cell `data-corner` beside it, and
   * the others below, called by their `data-label`.
   */
  stacked?: boolean
  /** Under the table: how many, and the pages. */
  footer?: ReactNode
}

const skeletonRows = 8

export function DataTable(props: DataTableProps) {
  const { label, head, columnCount, query, failedTitle, onFailed, empty, children } = props
  const { stacked, footer } = props
  useFailureToast(query.error, (error) =>
    onFailed ? onFailed(error) : showFailure(error, failedTitle),
  )
  return (
    <div ref={keepRowFocus} className={styles.frame}>
      {query.isPending ? (
        <div className={styles.table} data-stacked={stacked || undefined} aria-busy="true">
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
            data-stale={query.isPlaceholderData || undefined}
          >
            <Table label={label}>
              <thead>
                <tr>{head}</tr>
              </thead>
              <tbody>{children}</tbody>
            </Table>
          </div>
          {footer && <footer className={styles.footer}>{footer}</footer>}
        </>
      )}
    </div>
  )
}

/** Tells each failure once, beside the place that shows it. */
export function useFailureToast(error: Error | null, tell: (error: Error) => void): void {
  const onFailure = useEffectEvent(tell)
  useEffect(() => {
    if (error) onFailure(error)
  }, [error])
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
