// Card for one part of a person's page. Shows a loading, error or empty state until there is data.
import { useId, type ReactNode } from 'react'
import { errorText } from '../../base/api/show-error.ts'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { keepRowFocus } from '../../base/ui/lists/keep-row-focus.ts'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import type { ListQuery } from '../shared/lists/data-table.tsx'
import styles from './person-card.module.css'
import layout from '../../base/ui/layout/layout.module.css'

export interface PersonCardProps<Data> {
  title: string
  /** Rendered at the right of the heading. */
  actions?: ReactNode
  query: ListQuery & { data: Data | undefined }
  children: (data: Data) => ReactNode
}

export function PersonCard<Data>({ title, actions, query, children }: PersonCardProps<Data>) {
  const headingId = useId()
  return (
    <section ref={keepRowFocus} className={styles.card} aria-labelledby={headingId}>
      <header className={styles.header}>
        <h2 id={headingId} className={styles.title}>
          {title}
        </h2>
        {actions && <div className={layout.cluster2}>{actions}</div>}
      </header>
      {query.data !== undefined ? (
        children(query.data)
      ) : query.error ? (
        <ErrorState
          title={`Failed to load ${title.toLowerCase()}`}
          message={errorText(query.error)}
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Skeleton height="5rem" />
      )}
    </section>
  )
}
