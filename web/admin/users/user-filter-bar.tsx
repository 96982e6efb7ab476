// The filters of the list of people; they count when they are applied.
import { useState, type FormEvent } from 'react'
import { roles } from '#contract/plans.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { titleCase } from '../title-case.ts'
import listBar from '../list-bar.module.css'

const roleOptions = roles.map((value) => ({ value, label: titleCase(value) }))
const statusOptions = ['active', 'inactive', 'canceled'].map((value) => ({
  value,
  label: titleCase(value),
}))

type Values = Record<'q' | 'role' | 'subscription_status' | 'deletion_requested', string>

export interface UserFilterBarProps {
  values: Values
  onApply: (values: Values) => void
}

export function UserFilterBar({ values, onApply }: UserFilterBarProps) {
  const [draft, setDraft] = useState(values)
  const change = (changes: Partial<Values>) => setDraft({ ...draft, ...changes })
  function submit(event: FormEvent) {
    event.preventDefault()
    onApply({ ...draft, q: draft.q.trim() })
  }
  return (
    <form className={listBar.bar} onSubmit={submit}>
      <div className={listBar.search}>
        <SearchField
          label="Search by email or name"
          placeholder="Search by email or name..."
          value={draft.q}
          maxLength={200}
          onChange={(q) => change({ q })}
        />
      </div>
      <Select
        label="Role"
        hideLabel
        placeholder="All roles"
        options={roleOptions}
        value={draft.role}
        onChange={(event) => change({ role: event.target.value })}
      />
      <Select
        label="Subscription status"
        hideLabel
        placeholder="All subscriptions"
        options={statusOptions}
        value={draft.subscription_status}
        onChange={(event) => change({ subscription_status: event.target.value })}
      />
      <Checkbox
        label="Deletion requested"
        checked={draft.deletion_requested === 'true'}
        onChange={(event) => change({ deletion_requested: event.target.checked ? 'true' : '' })}
      />
      <span className={listBar.button}>
        <Button type="submit">Apply Filters</Button>
      </span>
    </form>
  )
}
