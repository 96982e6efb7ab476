// Notes about a person, for admins only. The person never sees them.
import { IconTrash } from '#web/base/ui/icons/icons.ts'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import {
  addPersonNote,
  deletePersonNote,
  noteMaxLength,
  type PersonNote,
} from '#contract/admin/admin-people.ts'
import { call } from '../../base/api/api.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { formatShortMoment } from '../shared/format/format-moment.ts'
import { PersonLink } from '../shared/person-link.tsx'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { PersonCard } from './person-card.tsx'
import styles from './person-card.module.css'
import { usePersonNotes } from '../people/person-queries.ts'

export function PersonNotes({ id }: { id: string }) {
  const notes = usePersonNotes(id)
  const [deleting, setDeleting] = useState<PersonNote | null>(null)
  const deletion = useAdminMutation<PersonNote>({
    run: (note) => call(deletePersonNote, { params: { id, note_id: note.id } }),
    refresh: ['users'],
    done: 'Note deleted',
    onDone: () => setDeleting(null),
    failed: 'Failed to delete the note',
  })
  return (
    <PersonCard title="Notes" query={notes}>
      {({ data }) => (
        <>
          <NoteForm id={id} />
          <ul className={styles.list}>
            {data.map((note) => (
              <li key={note.id} className={styles.note}>
                <div className={styles.noteHead}>
                  {note.author ? (
                    <PersonLink
                      id={note.author.id}
                      email={note.author.email}
                      name={note.author.display_name}
                    />
                  ) : (
                    <span>Deleted account</span>
                  )}
                  <time dateTime={note.created_at}>{formatShortMoment(note.created_at)}</time>
                  <IconButton
                    size="small"
                    label={`Delete the note of ${formatShortMoment(note.created_at)}`}
                    data-control="delete"
                    onClick={() => setDeleting(note)}
                  >
                    <IconTrash />
                  </IconButton>
                </div>
                <p className={styles.body} dir="auto">
                  {note.body}
                </p>
              </li>
            ))}
          </ul>
          <ConfirmDialog
            open={deleting !== null}
            title="Delete this note?"
            message="The audit log keeps a record of the note without its text. This action cannot be undone."
            confirmLabel="Delete"
            busy={deletion.isPending}
            onConfirm={() => deleting && deletion.mutate(deleting)}
            onCancel={() => setDeleting(null)}
          />
        </>
      )}
    </PersonCard>
  )
}

const emptyNote = { body: '' }

function NoteForm({ id }: { id: string }) {
  const { form, setForm, ...draft } = useFormDraft({
    key: `person-note:${id}`,
    what: 'the note',
    saved: emptyNote,
  })
  const { body } = form
  const [problem, setProblem] = useState<string>()
  const adding = useAdminMutation<string>({
    run: (trimmed) => call(addPersonNote, { params: { id }, body: { body: trimmed } }),
    refresh: ['users'],
    done: 'Note added',
    onDone: draft.discard,
    failed: 'Failed to add the note',
  })
  function save(event?: FormEvent) {
    event?.preventDefault()
    const trimmed = body.trim()
    setProblem(trimmed ? undefined : 'Please write a note first.')
    if (trimmed && !adding.isPending) adding.mutate(trimmed)
  }
  function keyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
  }
  return (
    <form className={styles.form} noValidate onSubmit={save}>
      <RestoredNote isShown={draft.isRestored} onDiscard={draft.discard} />
      <TextArea
        label="Internal note"
        hideLabel
        rows={2}
        maxLength={noteMaxLength}
        placeholder="Write a note. Only admins see it."
        value={body}
        error={problem}
        onChange={({ target }) => setForm({ body: target.value })}
        onKeyDown={keyDown}
      />
      <Button type="submit" size="small" busy={adding.isPending}>
        Add Note
      </Button>
    </form>
  )
}
