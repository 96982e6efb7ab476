// Details of one audit entry, with the values before and after the change.
import type { AuditEntry } from '#contract/admin/admin-audit.ts'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { formatMoment } from '../shared/format/format-moment.ts'
import { useLast } from '../shared/lists/use-last.ts'
import { CopyId } from '../shared/copy-id.tsx'
import { AuditActorName, AuditSubjectName } from './audit-names.tsx'
import styles from './audit-screen.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export interface AuditEntryDialogProps {
  /** Null while the dialog is closed. */
  entry: AuditEntry | null
  onClose: () => void
}

export function AuditEntryDialog({ entry, onClose }: AuditEntryDialogProps) {
  const shown = useLast(entry)
  return (
    <Dialog
      open={entry !== null}
      onClose={onClose}
      size="large"
      title={shown ? `${shown.action} on ${shown.entity}` : ''}
    >
      {shown && (
        <>
          <dl className={styles.facts}>
            <dt>When</dt>
            <dd>{formatMoment(shown.created_at)}</dd>
            <dt>Actor</dt>
            <dd>
              <AuditActorName entry={shown} />{' '}
              {shown.actor_id && <CopyId id={shown.actor_id} whole />}
            </dd>
            <dt>Entity ID</dt>
            <dd>
              <AuditSubjectName entry={shown} />{' '}
              {shown.entity_id ? <CopyId id={shown.entity_id} whole /> : !shown.entity_name && '-'}
            </dd>
          </dl>
          <Changes before={toFields(shown.before)} after={toFields(shown.after)} />
        </>
      )}
    </Dialog>
  )
}

type Fields = Record<string, unknown>

function Changes({ before, after }: { before: Fields; after: Fields }) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  if (names.length === 0) return <p className={textStyles.soft}>No values were recorded.</p>
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => {
          const [was, is] = [formatValue(before[name]), formatValue(after[name])]
          return (
            <tr key={name} data-changed={was !== is || undefined}>
              <th scope="row">{name}</th>
              <td>{was}</td>
              <td>{is}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
