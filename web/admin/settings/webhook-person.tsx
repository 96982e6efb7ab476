// Field to choose the person in the example events by email or name, instead of pasting an id.
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { listUsers, type AdminUser } from '#contract/admin/admin-users.ts'
import { call } from '../../base/api/api.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { PersonLink } from '../shared/person-link.tsx'
import styles from './settings-screen.module.css'
import layout from '../../base/ui/layout/layout.module.css'

const maxShown = 5

export interface WebhookPersonProps {
  person: AdminUser | null
  onChoose: (person: AdminUser | null) => void
}

export function WebhookPerson({ person, onChoose }: WebhookPersonProps) {
  const [text, setText] = useState('')
  const q = useDeferredValue(text.trim())
  const found = useQuery({
    queryKey: ['admin', 'users', 'webhook', q],
    queryFn: ({ signal }) => call(listUsers, { query: { q, page_size: maxShown } }, { signal }),
    enabled: q !== '' && person === null,
  })
  if (person) {
    return (
      <p className={styles.examples}>
        Examples are about{' '}
        <PersonLink id={person.id} email={person.email} name={person.display_name} />
        <Button size="small" variant="quiet" onClick={() => onChoose(null)}>
          Change
        </Button>
      </p>
    )
  }
  const people = q === '' ? [] : (found.data?.data ?? [])
  return (
    <div className={layout.stack2}>
      <TextField
        label="Member"
        placeholder="Email or name"
        hint="Example events use this person."
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        error={found.error && q !== '' ? 'Failed to load users' : undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Enter would otherwise submit the form around this field, which sends the event.
          event.preventDefault()
          if (people[0]) onChoose(people[0])
        }}
      />
      {people.length > 0 && (
        <div className={styles.examples} role="group" aria-label="People found">
          {people.map((one) => (
            <Button key={one.id} size="small" onClick={() => onChoose(one)}>
              {one.email}
            </Button>
          ))}
        </div>
      )}
      {found.data && people.length === 0 && q !== '' && (
        <p className={styles.examples} role="status">
          No users found
        </p>
      )}
    </div>
  )
}
