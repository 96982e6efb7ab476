// Lists the songs that an import found on another server. The owner deselects songs to skip, and then starts the
// import.
import { useState } from 'react'
import {
  confirmImport,
  maxLeftOut,
  type ImportItem,
  type ImportSummary,
} from '#contract/admin/imports.ts'
import { IconDownload } from '#web/base/ui/icons/icons.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Checkbox } from '../../base/ui/controls/checkbox.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useImportItems } from './import-queries.ts'
import styles from './imports-screen.module.css'

export function ImportList({ one }: { one: ImportSummary }) {
  const [unwanted, setUnwanted] = useState<ReadonlySet<number>>(new Set())
  const confirm = useAdminMutation({
    run: () => call(confirmImport, { params: { id: one.id }, body: { leave_out: [...unwanted] } }),
    refresh: ['imports'],
    done: 'Import started',
    failed: 'Failed to start the import',
  })
  const { waiting, known } = one.counts
  const count = waiting - unwanted.size
  return (
    <section aria-label="Songs on the server" className={styles.import}>
      <p>
        {formatCount(waiting, 'song', 'songs')} can be imported.
        {known > 0 &&
          ` ${formatCount(known, 'song', 'songs')} were imported before: you decide on them after the import.`}
      </p>
      {waiting > 0 && <Songs one={one} unwanted={unwanted} onChange={setUnwanted} />}
      <div className={styles.acts}>
        <Button
          variant="primary"
          icon={<IconDownload />}
          disabled={count + known === 0}
          busy={confirm.isPending}
          onClick={() => confirm.mutate()}
        >
          {count > 0 ? `Import ${formatCount(count, 'song', 'songs')}` : 'Continue'}
        </Button>
      </div>
    </section>
  )
}

interface SongsProps {
  one: ImportSummary
  unwanted: ReadonlySet<number>
  onChange: (unwanted: ReadonlySet<number>) => void
}

function Songs({ one, unwanted, onChange }: SongsProps) {
  const [pages, setPages] = useState([0])
  const query = useImportItems(one, 'waiting', pages.at(-1) ?? 0)
  if (query.error) {
    return (
      <ErrorState
        title="Failed to load the songs"
        message={errorText(query.error)}
        busy={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  }
  if (!query.data) return <Skeleton height="8rem" />
  const { data, next_after } = query.data
  function want(items: readonly ImportItem[], isWanted: boolean) {
    const next = new Set(unwanted)
    for (const { position } of items) {
      if (isWanted) next.delete(position)
      else if (next.size < maxLeftOut) next.add(position)
    }
    onChange(next)
  }
  const leftOut = data.filter(({ position }) => unwanted.has(position)).length
  return (
    <>
      <Checkbox
        label={pages.length > 1 || next_after !== null ? 'All on this page' : 'All'}
        checked={leftOut === 0}
        indeterminate={leftOut > 0 && leftOut < data.length}
        onChange={({ target }) => want(data, target.checked)}
      />
      <ul className={styles.items} aria-label="Songs to import">
        {data.map((item) => (
          <li key={item.position} className={styles.item}>
            <Checkbox
              label={item.name}
              checked={!unwanted.has(item.position)}
              onChange={({ target }) => want([item], target.checked)}
            />
          </li>
        ))}
      </ul>
      <div className={styles.acts}>
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
