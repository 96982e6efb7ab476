// Lists audit entries about a person: changes to their account, and changes that they made.
import { useState } from 'react'
import type { PersonAuditEntry } from '#contract/admin/admin-people.ts'
import { Pagination } from '../../base/ui/lists/pagination.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { formatShortMoment } from '../shared/format/format-moment.ts'
import { PersonLink } from '../shared/person-link.tsx'
import { PersonCard } from './person-card.tsx'
import styles from './person-card.module.css'
import { usePersonAudit } from '../people/person-queries.ts'
import { summarizeChange } from './summarize-change.ts'
import textStyles from '../../base/ui/layout/text.module.css'

const sides = [
  { value: 'about', label: 'About this person' },
  { value: 'by', label: 'By this person' },
] as const
type Side = (typeof sides)[number]['value']

export function PersonAudit({ id }: { id: string }) {
  const [side, setSide] = useState<Side>('about')
  const [page, setPage] = useState(1)
  const entries = usePersonAudit(id, side, page)
  return (
    <PersonCard
      title="Audit log"
      query={entries}
      actions={
        <Select
          label="Entries"
          hideLabel
          options={sides}
          value={side}
          onChange={({ target }) => {
            setSide(target.value as Side)
            setPage(1)
          }}
        />
      }
    >
      {({ data, pagination }) => (
        <>
          {data.length === 0 && <p className={textStyles.soft}>No entries.</p>}
          <ul className={styles.list}>
            {data.map((entry) => (
              <Entry key={entry.id} entry={entry} isBy={side === 'by'} />
            ))}
          </ul>
          <Pagination
            label="Entries"
            page={pagination.page}
            totalPages={pagination.total_pages}
            onChange={setPage}
          />
        </>
      )}
    </PersonCard>
  )
}

function Entry({ entry, isBy }: { entry: PersonAuditEntry; isBy: boolean }) {
  const { actor, before, after } = entry
  const change = summarizeChange(before, after)
  return (
    <li className={styles.entry}>
      <time className={styles.soft} dateTime={entry.created_at}>
        {formatShortMoment(entry.created_at)}
      </time>
      <span>
        {entry.action} on {entry.entity}
        {change && <span className={styles.soft}>: {change}</span>}
        {!isBy && (
          <span className={styles.soft}>
            {' '}
            by{' '}
            {actor ? (
              <PersonLink id={actor.id} email={actor.email} name={actor.display_name} />
            ) : (
              'the system'
            )}
          </span>
        )}
      </span>
    </li>
  )
}
