// One import: its progress, the decisions it needs, the items that failed, and the draft tracks it created.
import { IconRefresh, IconX } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import {
  retryImport,
  stopImport,
  type ImportItemStatus,
  type ImportSummary,
} from '#contract/admin/imports.ts'
import { call } from '../../base/api/api.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Badge, type BadgeProps } from '../../base/ui/display/badge.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { ProposalsPanel } from '../releases/proposals-panel.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { formatMoment } from '../shared/format/format-moment.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { BatchEditor } from '../uploads/batch-editor.tsx'
import { VersionsPanel } from '../uploads/version-proposals.tsx'
import { useImportedTracks } from '../uploads/batch-queries.ts'
import { ImportDecisions } from './import-decisions.tsx'
import { ImportList } from './import-list.tsx'
import { ImportItems } from './import-items.tsx'
import { isInProgress } from './import-queries.ts'
import styles from './imports-screen.module.css'

const states: Record<ImportSummary['status'], { tone: BadgeProps['tone']; statusLabel: string }> = {
  waiting: { tone: 'neutral', statusLabel: 'Waiting' },
  running: { tone: 'info', statusLabel: 'Importing' },
  listed: { tone: 'warning', statusLabel: 'Ready to import' },
  asking: { tone: 'warning', statusLabel: 'Needs your decision' },
  done: { tone: 'success', statusLabel: 'Done' },
  failed: { tone: 'danger', statusLabel: 'Failed' },
  stopped: { tone: 'neutral', statusLabel: 'Stopped' },
}

/** The tracks of the newest import are shown immediately, those of older imports after a click. */
export function ImportCard({ one, isNewest }: { one: ImportSummary; isNewest: boolean }) {
  const { tone, statusLabel } = states[one.status]
  const isOpen = isInProgress(one) || one.status === 'asking' || one.status === 'listed'
  return (
    <Card
      title={<span className={styles.title}>{one.name}</span>}
      description={`${formatMoment(one.created_at)} · ${summarize(one)}`}
      actions={
        <>
          <Badge tone={tone}>{statusLabel}</Badge>
          {isOpen && <StopButton one={one} />}
        </>
      }
    >
      <div className={styles.import}>
        {isInProgress(one) && (
          <ProgressBar label={`Progress of ${one.name}`} {...getProgress(one)} />
        )}
        {one.problem !== null && <p className={styles.problem}>{one.problem}</p>}
        {one.status === 'listed' && <ImportList one={one} />}
        {one.status === 'asking' && <ImportDecisions one={one} />}
        <Rest one={one} />
        <Tracks one={one} isNewest={isNewest} />
      </div>
    </Card>
  )
}

/** Returns no value while the archive is still being read, because the number of items is not known yet. */
function getProgress({ counts }: ImportSummary): { value?: number } {
  const total = counts.done + counts.known + counts.failed + counts.waiting
  return total === 0 ? {} : { value: 1 - counts.waiting / total }
}

function summarize(one: ImportSummary): string {
  const { format, counts, made } = one
  if (format === null) {
    if (!isInProgress(one)) return 'Nothing was imported'
    return one.server_url === null ? 'Reading file' : 'Listing songs'
  }
  const parts = [
    `${counts.done.toLocaleString('en')} imported`,
    counts.waiting > 0 && `${counts.waiting.toLocaleString('en')} remaining`,
    counts.known > 0 && `${counts.known.toLocaleString('en')} already in the library`,
    counts.failed > 0 && `${counts.failed.toLocaleString('en')} failed`,
    counts.left_out > 0 && `${counts.left_out.toLocaleString('en')} skipped`,
    ...Object.entries(made).map(([what, count]) =>
      formatCount(count, singular[what] ?? what, what),
    ),
  ]
  return parts.filter(Boolean).join(' · ')
}

const singular: Readonly<Record<string, string>> = {
  genres: 'genre',
  categories: 'category',
  artists: 'artist',
  releases: 'release',
  playlists: 'playlist',
}

const lists: readonly { status: ImportItemStatus; label: string }[] = [
  { status: 'failed', label: 'Failed' },
  { status: 'left_out', label: 'Skipped' },
]

/** Lists the items that were not imported, with the reasons. */
function Rest({ one }: { one: ImportSummary }) {
  const [shown, setShown] = useState<ImportItemStatus | null>(null)
  const some = lists.filter(({ status }) => one.counts[status] > 0)
  const retrying = useRetry(one)
  if (some.length === 0) return null
  return (
    <>
      <div className={styles.actions}>
        {some.map(({ status, label }) => (
          <Button
            key={status}
            size="small"
            variant="quiet"
            aria-expanded={shown === status}
            onClick={() => setShown(shown === status ? null : status)}
          >
            {label}: {one.counts[status].toLocaleString('en')}
          </Button>
        ))}
        {one.can_retry && (
          <Button
            size="small"
            icon={<IconRefresh />}
            busy={retrying.isPending}
            onClick={() => retrying.mutate()}
          >
            Retry
          </Button>
        )}
      </div>
      {shown !== null && <ImportItems one={one} status={shown} />}
    </>
  )
}

function Tracks({ one, isNewest }: { one: ImportSummary; isNewest: boolean }) {
  const [isShown, setShown] = useState(isNewest)
  if ((one.format !== 'files' && one.format !== 'server') || one.counts.done === 0) return null
  return (
    <>
      {!isNewest && (
        <div className={styles.actions}>
          <Button size="small" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide Tracks' : 'Show Tracks'}
          </Button>
        </div>
      )}
      {isShown && <Drafts batch={one.id} isFilling={isInProgress(one)} />}
    </>
  )
}

/** Lists the draft tracks that the import created. They form a batch, like files dropped on the upload screen. */
function Drafts({ batch, isFilling }: { batch: string; isFilling: boolean }) {
  const query = useImportedTracks(batch)
  if ((query.data?.data.length ?? 0) === 0) return null
  return (
    <>
      {isFilling ? (
        <p className={styles.note}>
          Releases and versions are suggested once all files have been imported.
        </p>
      ) : (
        <>
          <ProposalsPanel batch={batch} />
          <VersionsPanel batch={batch} />
        </>
      )}
      <BatchEditor batch={batch} query={query} />
    </>
  )
}

function useRetry({ id }: ImportSummary) {
  return useAdminMutation({
    run: () => call(retryImport, { params: { id }, body: {} }),
    refresh: ['imports', 'tracks'],
    failed: (error) => showReason(error, 'Failed to retry'),
  })
}

function StopButton({ one }: { one: ImportSummary }) {
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const stop = useAdminMutation({
    run: () => call(stopImport, { params: { id: one.id } }),
    refresh: ['imports', 'tracks'],
    done: 'Import stopped',
    failed: 'Failed to stop the import',
    onDone: () => setConfirmOpen(false),
  })
  return (
    <>
      <Button size="small" variant="quiet" icon={<IconX />} onClick={() => setConfirmOpen(true)}>
        Stop
      </Button>
      <ConfirmDialog
        open={isConfirmOpen}
        title="Stop this import?"
        message={`Imported items are kept. Importing the rest later requires ${one.server_url === null ? 'the file' : 'the sign-in'} again.`}
        confirmLabel="Stop Import"
        busy={stop.isPending}
        onConfirm={() => stop.mutate()}
        onCancel={() => setConfirmOpen(false)}
      />
    </>
  )
}
