// The name of a genre, new or changed.
import { useId, useRef, useState, type FormEvent } from 'react'
import { createGenre, updateGenre, type Genre } from '#contract/admin-genres.ts'
import { call } from '../../app/api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { reasonOf, showFailure } from '../admin-failure.ts'
import styles from '../dialog-form.module.css'
import { useAct } from '../use-act.ts'

export interface GenreDialogProps {
  open: boolean
  /** Null: a new one. */
  genre: Genre | null
  onClose: () => void
}

export function GenreDialog({ open, genre, onClose }: GenreDialogProps) {
  const formId = useId()
  const [name, setName] = useState('')
  const [isRename, setIsRename] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [wasOpen, setWasOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  if (open !== wasOpen) {
    setWasOpen(open)
    if (open) {
      setName(genre?.name ?? '')
      setIsRename(genre !== null)
      setProblem(undefined)
    }
  }
  const saving = useAct({
    run: () =>
      genre
        ? call(updateGenre, { params: { id: genre.id }, body: { name: name.trim() } })
        : call(createGenre, { body: { name: name.trim() } }),
    refresh: ['genres', 'tracks'],
    done: isRename ? 'Genre renamed successfully' : 'Genre created successfully',
    onDone: onClose,
    failed(error) {
      setProblem(reasonOf(error))
      showFailure(error, isRename ? 'Failed to rename genre' : 'Failed to create genre')
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim()) {
      if (!saving.isPending) saving.mutate()
    } else {
      setProblem('Genre name is required')
      input.current?.focus()
    }
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="small"
      title={isRename ? 'Rename Genre' : 'Add Genre'}
      footer={
        <FormButtons
          form={formId}
          label={isRename ? 'Save Changes' : 'Add Genre'}
          busy={saving.isPending}
          onCancel={onClose}
        />
      }
    >
      <form id={formId} className={styles.form} noValidate onSubmit={submit}>
        <TextField
          ref={input}
          data-autofocus
          label="Name"
          required
          maxLength={80}
          value={name}
          error={problem}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
