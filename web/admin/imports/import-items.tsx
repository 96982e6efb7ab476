// A paginated list of an import's items that have the same state.
import { useState } from 'react'
import type { ImportItemStatus, ImportSummary } from '#contract/admin/imports.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { useImportItems } from './import-queries.ts'
import styles from './imports-screen.module.css'

export function ImportItems({ one, status }: { one: ImportSummary; status: ImportItemStatus }) {
  const [pages, setPages] = useState([0])
  const query = useImportItems(one, status, pages.at(-1) ?? 0)
  if (query.error) {
    return (
      <ErrorState
        title="Failed to load the files"
        message={errorText(query.error)}
        busy={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  }
  if (!query.data) return <Skeleton height="6rem" />
  const { data, next_after } = query.data
  return (
    <>
      <ul className={styles.items} aria-label={status === 'failed' ? 'Failed' : 'Skipped'}>
        {data.map(({ position, name, path, reason }) => (
          <li key={position} className={styles.item}>
            <span className={styles.words}>
              <span className={styles.name} title={path}>
                {name}
              </span>
              <span className={styles.note}>{reason}</span>
            </span>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        {pages.length > 1 && (
          <Button size="small" onClick={() => setPages(pages.slice(0, -1))}>
            Previous
          </Button>
        )}
        {next_after !== null && (
          <Button size="small" onClick={() => setPages([...pages, next_after])}>
            Next
          </Button>
        )}
      </div>
    </>
  )
}
