// /admin/users/:id: everything about one person, and the actions on their account.
import { IconArrowLeft, IconUserOff } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { Person } from '#contract/admin/admin-people.ts'
import { ApiError } from '../../base/api/api.ts'
import { useDocumentTitle } from '../../base/session/document-title.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { errorText } from '../../base/api/show-error.ts'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import { PersonAudit } from './person-audit.tsx'
import { PersonDevices } from './person-devices.tsx'
import { PersonHeader } from './person-header.tsx'
import styles from './person-header.module.css'
import { PersonNotes } from './person-notes.tsx'
import { PersonPayments } from './person-payments.tsx'
import { PersonPlan } from './person-plan.tsx'
import { PersonPlays } from './person-plays.tsx'
import { usePerson, usePersonPartsSettled } from '../people/person-queries.ts'
import { PersonMessages, usePersonInbox } from './person-messages.tsx'
import type { PersonQuestion } from '../people/person-question.ts'

export function PersonScreen() {
  const { id = '' } = useParams()
  const person = usePerson(id)
  const messages = usePersonInbox(id)
  const arePartsSettled = usePersonPartsSettled(id) && !messages.isPending
  const { data, error } = person
  useDocumentTitle(data ? data.display_name || data.email : 'Member')
  return (
    <>
      <div className={styles.back}>
        <ButtonLink to="/admin/users" variant="quiet" size="small" icon={<IconArrowLeft />}>
          Users
        </ButtonLink>
      </div>
      {data && arePartsSettled ? (
        <PersonParts key={data.id} person={data} />
      ) : (
        <>
          <VisuallyHidden>
            <h1>Member</h1>
          </VisuallyHidden>
          {!error ? (
            <Skeleton height="12rem" />
          ) : isUnknown(error) ? (
            <EmptyState
              icon={<IconUserOff />}
              title="User not found"
              message="This account was deleted, or the address is incorrect."
            />
          ) : (
            <ErrorState
              title="Failed to load this person"
              message={errorText(error)}
              busy={person.isFetching}
              onRetry={() => void person.refetch()}
            />
          )}
        </>
      )}
    </>
  )
}

function PersonParts({ person }: { person: Person }) {
  const [question, setQuestion] = useState<PersonQuestion | null>(null)
  return (
    <>
      <PersonHeader person={person} question={question} onAsk={setQuestion} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <PersonPayments user={person} />
          <PersonMessages id={person.id} />
          <PersonPlays person={person} />
          <PersonAudit id={person.id} />
        </div>
        <div className={`${styles.column} ${styles.side}`}>
          <PersonPlan user={person} onAsk={setQuestion} />
          <PersonNotes id={person.id} />
          <PersonDevices user={person} />
        </div>
      </div>
    </>
  )
}

/** Returns true if the person doesn't exist or the id in the URL is invalid. Retrying would not help then. */
function isUnknown(error: Error): boolean {
  return error instanceof ApiError && ['user_not_found', 'not_found'].includes(error.code)
}
