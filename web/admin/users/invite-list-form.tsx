// Invites people from a CSV file or pasted text. First the list is checked. Then one click invites everyone who can be
// invited.
import { IconUpload } from '#web/base/ui/icons/icons.ts'
import { useRef, useState, type FormEvent } from 'react'
import {
  createInvitations,
  invitationListMaxLength,
  invitationMailsPerMinute,
  maxInvitationRows,
  previewInvitations,
  type InvitationProblem,
  type InvitationRow,
} from '#contract/admin/admin-invitations.ts'
import { call } from '../../base/api/api.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import textStyles from '../../base/ui/layout/text.module.css'
import { getServerReason, showFailure } from '../shared/admin-failure.ts'
import formStyles from '../shared/dialog-form.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { RoleAndPlanFields, defaultRoleAndPlan } from './role-and-plan-fields.tsx'
import type { InviteFormProps } from './invite-form.tsx'
import styles from './invite-list-form.module.css'

const problemLabels: Record<InvitationProblem, string> = {
  no_address: 'has no address',
  invalid_address: 'is not an email address',
  name_too_long: 'has a name of more than 100 characters',
  repeated: 'is a duplicate',
  has_account: 'already has an account',
  already_invited: 'has already been invited',
}

export interface InviteListFormProps extends InviteFormProps {
  /** Called with the number of people who can be invited, or with null until the list is checked. */
  onChecked: (ready: number | null) => void
}

export function InviteListForm(props: InviteListFormProps) {
  const { formId, onSavingChange, onSaved, onChecked } = props
  // Don't store the list as a draft in the browser: it contains other people's email addresses.
  const draft = useFormDraft({
    key: 'invitation:list',
    what: 'the list',
    saved: { csv: '', ...defaultRoleAndPlan },
    secrets: ['csv'],
  })
  const { form, setForm } = draft
  const { form: element, problems, showProblems } = useProblems<{ csv: string }>()
  const [rows, setRows] = useState<readonly InvitationRow[] | null>(null)
  const people = (rows ?? []).filter(({ problem }) => problem === null)

  function show(checked: readonly InvitationRow[] | null) {
    setRows(checked)
    onChecked(checked && checked.filter(({ problem }) => problem === null).length)
  }
  const checking = useAdminMutation({
    run: () => call(previewInvitations, { body: { csv: form.csv } }),
    onSavingChange,
    refresh: [],
    onDone: ({ rows: checked }) => show(checked),
    failed(error) {
      const reason = getServerReason(error)
      if (reason) showProblems({ csv: reason })
      else showFailure(error, 'Failed to check the list')
    },
  })
  const { role, subscription_tier } = form
  const inviting = useAdminMutation({
    run: () =>
      call(createInvitations, {
        body: {
          people: people.map(({ email, display_name }) => ({ email, display_name })),
          role,
          subscription_tier,
        },
      }),
    onSavingChange,
    refresh: ['users'],
    done: ({ invited }) => `${formatCount(invited, 'person', 'people')} invited`,
    onDone() {
      draft.saved()
      onSaved()
    },
    failed: 'Failed to send the invitations',
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (checking.isPending || inviting.isPending) return
    if (rows !== null) {
      if (people.length > 0) inviting.mutate()
    } else if (!showProblems(findProblems(form.csv))) checking.mutate()
  }

  return (
    <form ref={element} id={formId} className={formStyles.form} noValidate onSubmit={submit}>
      {rows === null ? (
        <ListField
          value={form.csv}
          error={problems.csv}
          onChange={(csv) => setForm({ ...form, csv })}
        />
      ) : (
        <>
          <CheckedList rows={rows} ready={people.length} onBack={() => show(null)} />
          {people.length > 0 && (
            <RoleAndPlanFields
              value={form}
              onChange={(changes) => setForm({ ...form, ...changes })}
            />
          )}
        </>
      )}
    </form>
  )
}

function findProblems(csv: string): { csv?: string } {
  if (csv.trim() === '') return { csv: 'Please choose a file, or enter addresses.' }
  if (csv.length > invitationListMaxLength) {
    return { csv: 'The list is too long. Split it into several lists.' }
  }
  return {}
}

interface ListFieldProps {
  value: string
  error: string | undefined
  onChange: (csv: string) => void
}

function ListField({ value, error, onChange }: ListFieldProps) {
  const file = useRef<HTMLInputElement>(null)
  async function take(chosen: File | undefined) {
    if (chosen) onChange(await chosen.slice(0, 4 * invitationListMaxLength).text())
  }
  return (
    <>
      <TextArea
        label="People"
        hint={`Enter one address per line, or a CSV with columns for email and name: at most ${maxInvitationRows.toLocaleString('en')} people.`}
        rows={8}
        spellCheck={false}
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
      <div>
        <input
          ref={file}
          hidden
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          aria-label="File with people"
          onChange={({ target }) => {
            const chosen = target.files?.[0]
            target.value = ''
            void take(chosen)
          }}
        />
        <Button icon={<IconUpload />} onClick={() => file.current?.click()}>
          Choose a CSV File
        </Button>
      </div>
    </>
  )
}

interface CheckedListProps {
  rows: readonly InvitationRow[]
  ready: number
  onBack: () => void
}

function CheckedList({ rows, ready, onBack }: CheckedListProps) {
  const bad = rows.filter(({ problem }) => problem !== null)
  const minutes = Math.ceil(ready / invitationMailsPerMinute)
  return (
    <>
      <p role="status">
        {ready === 0
          ? 'No one in this list can be invited.'
          : `${formatCount(ready, 'person', 'people')} can be invited.`}{' '}
        {minutes > 1 && `The emails are sent over about ${minutes} minutes.`}
      </p>
      {bad.length > 0 && (
        <section aria-labelledby="left-out">
          <h3 id="left-out" className={styles.heading}>
            {formatCount(bad.length, 'row is skipped', 'rows are skipped')}
          </h3>
          <ul className={styles.rows} tabIndex={0} aria-labelledby="left-out">
            {bad.map((row) => (
              <li key={row.line}>
                <span className={textStyles.soft}>Line {row.line}:</span>{' '}
                <bdi>{row.email || row.display_name}</bdi> {problemLabels[row.problem!]}
              </li>
            ))}
          </ul>
        </section>
      )}
      <div>
        <Button onClick={onBack}>Change List</Button>
      </div>
    </>
  )
}
