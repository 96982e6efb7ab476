// The name of a person, changed where it stands.
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { updateUser, type AdminUser } from '#contract/admin-users.ts'
import { call } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useAct } from '../use-act.ts'
import styles from './user-row.module.css'

export interface NameCellProps {
  user: AdminUser
  isEditing: boolean
  onEditingChange: (isEditing: boolean) => void
}

export function NameCell({ user, isEditing, onEditingChange }: NameCellProps) {
  if (isEditing) return <NameForm user={user} onClose={() => onEditingChange(false)} />
  return (
    <button
      type="button"
      className={styles.nameButton}
      aria-label={`${user.display_name || 'No name'}: edit the name of ${user.email}`}
      data-tooltip="Edit name"
      onClick={() => onEditingChange(true)}
    >
      {user.display_name || <span className={styles.missing}>No name</span>}
    </button>
  )
}

function NameForm({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const [name, setName] = useState(user.display_name)
  const saving = useAct({
    run: () => call(updateUser, { params: { id: user.id }, body: { display_name: name.trim() } }),
    refresh: ['users'],
    done: 'Display name updated',
    onDone: onClose,
    failed: 'Failed to update display name',
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!saving.isPending) saving.mutate()
  }
  function keyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') onClose()
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="Display name"
        hideLabel
        ref={focusOnce}
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={keyDown}
      />
      <Button type="submit" size="small" variant="primary" busy={saving.isPending}>
        Save
      </Button>
      <Button size="small" onClick={onClose}>
        Cancel
      </Button>
    </form>
  )
}

/** When it appears; the same function every time, or each key would focus it anew. */
function focusOnce(element: HTMLInputElement | null): void {
  element?.focus()
}
