// Lists imported recordings that the library already contains. For each, the owner chooses to skip it, to import it as
// a new track, or to replace the existing recording.
import {
  decideImportItems,
  type ImportDecision,
  type ImportItem,
  type ImportSummary,
} from '#contract/admin/imports.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useImportItems } from './import-queries.ts'
import styles from './imports-screen.module.css'

interface Answer {
  decision: ImportDecision
  positions?: number[]
}

const duplicateTexts: Record<NonNullable<ImportItem['known']>['by'], string> = {
  recording: 'The same file as',
  source: 'The same song, saved again:',
  sound: 'Sounds like an existing track:',
  id: 'Exported from',
}

export function ImportDecisions({ one }: { one: ImportSummary }) {
  const query = useImportItems(one, 'known', 0)
  const decide = useAdminMutation({
    run: (body: Answer) => call(decideImportItems, { params: { id: one.id }, body }),
    refresh: ['imports', 'tracks'],
    failed: 'Failed to save the decision',
  })
  if (query.error) {
    return (
      <ErrorState
        title="Failed to load the recordings"
        message={errorText(query.error)}
        busy={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  }
  if (!query.data) return <Skeleton height="8rem" />
  const open = query.data.data.filter(({ decision }) => decision === null)
  const answerAll = (decision: ImportDecision) => decide.mutate({ decision })
  return (
    <section aria-label="Already in the library" className={styles.import}>
      <p>These recordings are already in your library. Decide what to do with each.</p>
      <div className={styles.actions}>
        <Button size="small" busy={decide.isPending} onClick={() => answerAll('skip')}>
          Skip All
        </Button>
        <Button size="small" busy={decide.isPending} onClick={() => answerAll('keep')}>
          Keep All as New Tracks
        </Button>
      </div>
      <ul className={styles.items} aria-label="Recordings that need a decision">
        {open.map((item) => (
          <li key={item.position} className={styles.item}>
            <ItemText item={item} />
            <span className={styles.choices}>
              {(['skip', 'keep', 'replace'] as const).map((decision) => (
                <Button
                  key={decision}
                  size="small"
                  variant="quiet"
                  aria-label={`${labels[decision]}: ${item.name}`}
                  disabled={decide.isPending}
                  onClick={() => decide.mutate({ decision, positions: [item.position] })}
                >
                  {labels[decision]}
                </Button>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {query.data.next_after !== null && (
        <p className={styles.note}>More appear after you decide on these.</p>
      )}
    </section>
  )
}

const labels: Record<ImportDecision, string> = { skip: 'Skip', keep: 'Keep', replace: 'Replace' }

function ItemText({ item: { name, path, known } }: { item: ImportItem }) {
  return (
    <span className={styles.words}>
      <span className={styles.name} title={path}>
        {name}
      </span>
      {known && (
        <span className={styles.note}>
          {duplicateTexts[known.by]}{' '}
          <ScreenLink to={`/admin/library?edit=${known.id}`}>{known.title}</ScreenLink>
        </span>
      )}
    </span>
  )
}
