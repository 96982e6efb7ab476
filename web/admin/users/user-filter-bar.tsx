// The filters of the user list. They take effect when the form is submitted.
import { useState } from 'react'
import { roles, tiers } from '#contract/plans.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Checkbox } from '../../base/ui/controls/checkbox.tsx'
import { SearchField } from '../../base/ui/controls/search-field.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { DayRange, FilterForm } from '../shared/lists/filter-form.tsx'
import { titleCase } from '../shared/format/title-case.ts'
import type { UserFilterValues } from './user-queries.ts'

const toOption = (value: string) => ({ value, label: titleCase(value) })
const roleOptions = roles.map(toOption)
const tierOptions = tiers.map(toOption)
const statusOptions = ['active', 'inactive', 'canceled', 'pending', 'trialing'].map(toOption)

export interface UserFilterBarProps {
  values: UserFilterValues
  onApply: (values: UserFilterValues) => void
}

export function UserFilterBar({ values, onApply }: UserFilterBarProps) {
  const [draft, setDraft] = useState(values)
  const change = (changes: Partial<UserFilterValues>) => setDraft({ ...draft, ...changes })
  const { joined_from, joined_to, deletion_requested } = draft
  return (
    <FilterForm
      hasMore={Boolean(values.joined_from || values.joined_to || values.deletion_requested)}
      onSubmit={() => onApply({ ...draft, q: draft.q.trim() })}
      actions={<Button type="submit">Apply Filters</Button>}
      more={
        <>
          <DayRange
            label="Joined"
            from={joined_from}
            to={joined_to}
            onChange={({ from = joined_from, to = joined_to }) =>
              change({ joined_from: from, joined_to: to })
            }
          />
          <Checkbox
            label="Deletion requested"
            checked={deletion_requested === 'true'}
            onChange={(event) => change({ deletion_requested: event.target.checked ? 'true' : '' })}
          />
        </>
      }
    >
      <SearchField
        label="Search by email or name"
        placeholder="Search by email or name..."
        value={draft.q}
        maxLength={200}
        onChange={(q) => change({ q })}
      />
      <Select
        label="Role"
        hideLabel
        placeholder="All roles"
        options={roleOptions}
        value={draft.role}
        onChange={(event) => change({ role: event.target.value })}
      />
      <Select
        label="Subscription tier"
        hideLabel
        placeholder="All tiers"
        options={tierOptions}
        value={draft.subscription_tier}
        onChange={(event) => change({ subscription_tier: event.target.value })}
      />
      <Select
        label="Subscription status"
        hideLabel
        placeholder="All subscriptions"
        options={statusOptions}
        value={draft.subscription_status}
        onChange={(event) => change({ subscription_status: event.target.value })}
      />
    </FilterForm>
  )
}
