// The filters of the audit log. They take effect when the form is submitted.
import { useState, type FormEvent } from 'react'
import { auditActions, auditEntities } from '#contract/audit-names.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import listBar from '../shared/lists/list-bar.module.css'
import { titleCase } from '../shared/format/title-case.ts'
import type { AuditFilters } from './audit-queries.ts'

const actionOptions = auditActions.map((value) => ({ value, label: titleCase(value) }))
const entityOptions = auditEntities.map((value) => ({ value, label: titleCase(value) }))
export interface AuditFilterBarProps {
  values: AuditFilters
  onApply: (values: AuditFilters) => void
}

export function AuditFilterBar({ values, onApply }: AuditFilterBarProps) {
  const [draft, setDraft] = useState(values)
  const change = (changes: Partial<AuditFilters>) => setDraft({ ...draft, ...changes })

  function submit(event: FormEvent) {
    event.preventDefault()
    onApply({ ...draft, actor_id: draft.actor_id.trim(), entity_name: draft.entity_name.trim() })
  }

  return (
    <form className={listBar.bar} noValidate onSubmit={submit}>
      <div className={listBar.search}>
        <TextField
          label="Actor ID"
          placeholder="Email, name or ID"
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          value={draft.actor_id}
          onChange={(event) => change({ actor_id: event.target.value })}
        />
      </div>
      <Select
        label="Action"
        placeholder="All actions"
        options={actionOptions}
        value={draft.action}
        onChange={(event) => change({ action: event.target.value })}
      />
      <Select
        label="Entity"
        placeholder="All entities"
        options={entityOptions}
        value={draft.entity}
        onChange={(event) => change({ entity: event.target.value })}
      />
      <TextField
        label="Entity name"
        placeholder="Title, name or ID"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={draft.entity_name}
        onChange={(event) => change({ entity_name: event.target.value })}
      />
      <TextField
        label="Start Date"
        type="date"
        max={draft.end_date || undefined}
        value={draft.start_date}
        onChange={(event) => change({ start_date: event.target.value })}
      />
      <TextField
        label="End Date"
        type="date"
        min={draft.start_date || undefined}
        value={draft.end_date}
        onChange={(event) => change({ end_date: event.target.value })}
      />
      <span className={listBar.button}>
        <Button type="submit">Apply Filters</Button>
      </span>
    </form>
  )
}
