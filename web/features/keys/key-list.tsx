// A list of keys or tokens: loading, failed, empty, or rows with a Revoke button.
import type { UseQueryResult } from '@tanstack/react-query'
import { IconKey } from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import { errorText } from '../../base/api/show-error.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { keepRowFocus } from '../../base/ui/lists/keep-row-focus.ts'
import styles from './keys.module.css'
import layout from '../../base/ui/layout/layout.module.css'

export interface KeyListProps<Key extends { id: string; name: string }> {
  keys: UseQueryResult<Key[]>
  empty: { title: string; message: string }
  failed: string
  describe: (key: Key) => ReactNode
  onRevoke: (key: Key) => void
}

export function KeyList<Key extends { id: string; name: string }>(props: KeyListProps<Key>) {
  const { keys, empty, failed, describe, onRevoke } = props
  if (keys.isPending) return <KeysSkeleton />
  if (keys.isError) {
    return (
      <ErrorState
        title={failed}
        message={errorText(keys.error)}
        busy={keys.isFetching}
        onRetry={() => void keys.refetch()}
      />
    )
  }
  if (keys.data.length === 0) return <EmptyState icon={<IconKey />} {...empty} />
  return (
    <ul ref={keepRowFocus} className={styles.keys}>
      {keys.data.map((key) => (
        <li key={key.id} className={styles.key}>
          <IconKey className={styles.icon} aria-hidden="true" />
          <div className={layout.grow}>
            <p className={styles.name}>{key.name}</p>
            <p className={styles.hint}>{describe(key)}</p>
          </div>
          <Button
            size="small"
            variant="quiet"
            aria-label={`Revoke ${key.name}`}
            data-control="revoke"
            onClick={() => onRevoke(key)}
          >
            Revoke
          </Button>
        </li>
      ))}
    </ul>
  )
}

function KeysSkeleton() {
  return (
    <div className={styles.keys} aria-busy="true">
      {[0, 1].map((row) => (
        <div key={row} className={styles.key}>
          <Skeleton shape="circle" width="1.5rem" height="1.5rem" />
          <div className={layout.grow}>
            <Skeleton shape="text" width="40%" />
            <Skeleton shape="text" width="60%" />
          </div>
        </div>
      ))}
    </div>
  )
}
