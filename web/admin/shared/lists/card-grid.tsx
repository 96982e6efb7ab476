// A grid of cards. Shows a loading, error or empty state when there are no cards.
import type { ReactNode } from 'react'
import { errorText } from '../../../base/api/show-error.ts'
import { ErrorState } from '../../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../../base/ui/display/skeleton.tsx'
import styles from './card-grid.module.css'
import { useFailureToast, type ListQuery } from './data-table.tsx'

export interface CardGridProps {
  query: ListQuery
  failedTitle: string
  onFailed: (error: Error) => void
  empty: ReactNode
  /** The cards. If there are none, the empty state is shown. */
  children: ReactNode[]
}

export function CardGrid({ query, failedTitle, onFailed, empty, children }: CardGridProps) {
  useFailureToast(query.error, onFailed)
  if (query.isPending) {
    return (
      <div className={styles.grid} aria-busy="true">
        {Array.from({ length: 6 }, (_, index) => (
          <Skeleton key={index} height="11rem" />
        ))}
      </div>
    )
  }
  if (query.error && children.length === 0) {
    return (
      <ErrorState
        title={failedTitle}
        message={errorText(query.error)}
        busy={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  }
  return children.length === 0 ? empty : <div className={styles.grid}>{children}</div>
}
