// The table cell with an admin's note on a subscription. A click opens a text field in the cell.
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import type { Subscription } from '#contract/admin/admin-billing.ts'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { sendBillingAction } from '../people/billing-queries.ts'
import styles from './subscription-row.module.css'
import layout from '../../base/ui/layout/layout.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export function NoteCell({ row }: { row: Subscription }) {
  const [isEditing, setIsEditing] = useState(false)
  if (isEditing) return <NoteForm row={row} onClose={() => setIsEditing(false)} />
  return (
    <button
      type="button"
      className={styles.note}
      aria-label={`Note on ${row.email}: ${row.notes ?? 'Click to add note'}`}
      onClick={() => setIsEditing(true)}
    >
      {row.notes || <span className={textStyles.faint}>Click to add note</span>}
    </button>
  )
}

function NoteForm({ row, onClose }: { row: Subscription; onClose: () => void }) {
  // The note when the editor was opened. If a refetch changed it, the unchanged text would count as edited.
  const [saved] = useState({ note: row.notes ?? '' })
  const { form, setForm, ...draft } = useFormDraft({
    key: `billing-note:${row.user_id}`,
    what: `the note on ${row.email}`,
    saved,
  })
  const { note } = form
  const saving = useAdminMutation({
    run: () =>
      sendBillingAction({ action: 'update_note', user_id: row.user_id, note: note.trim() }),
    refresh: ['billing'],
    done: 'Note updated',
    onDone: () => draft.saved(),
    failed: 'Failed to update note',
  })
  function save(event?: FormEvent) {
    event?.preventDefault()
    // Close only after the refetch, so that the row already shows the new note.
    if (!saving.isPending) saving.mutate(undefined, { onSuccess: onClose })
  }
  function keyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') draft.leave(onClose)
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
  }
  return (
    <form className={styles.form} onSubmit={save}>
      <TextArea
        label={`Note on ${row.email}`}
        hideLabel
        rows={2}
        maxLength={2000}
        placeholder="Click to add note"
        ref={focusAtEnd}
        value={note}
        onChange={(event) => setForm({ note: event.target.value })}
        onKeyDown={keyDown}
      />
      <span className={layout.row2}>
        <Button type="submit" size="small" variant="primary" busy={saving.isPending}>
          Save
        </Button>
        <Button size="small" onClick={() => draft.leave(onClose)}>
          Cancel
        </Button>
      </span>
    </form>
  )
}

/** Ref callback that focuses the field and puts the cursor at the end of its text. */
function focusAtEnd(element: HTMLTextAreaElement | null): void {
  element?.focus()
  element?.setSelectionRange(element.value.length, element.value.length)
}
