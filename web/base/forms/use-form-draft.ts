// Form state of an item that only one user edits, such as a new one. Unsaved changes are stored as a draft.
import { useMemo, useState } from 'react'
import { useKeptDraft, useUnsavedForm } from './use-unsaved-form.ts'

/** The completed uploads of a form, to store them in its draft. */
export interface FormFiles<Kept> {
  isChanged: boolean
  kept: Kept
  clear: () => void
}

export interface FormDraftOptions<Form> {
  key: string
  what: string
  /** The form's initial values. */
  saved: Form
  /** Fields that are never stored in the draft, such as passwords. */
  secrets?: readonly (keyof Form)[]
}

interface StoredForm<Form, Kept> {
  form: Form
  files: Kept
}

export const noFiles: FormFiles<null> = { isChanged: false, kept: null, clear() {} }

/** Returns the uploads in this form's stored draft. File hooks need them before the form itself is created. */
export function useKeptFiles<Kept>(key: string): Kept | null {
  return useKeptDraft<StoredForm<unknown, Kept>>(key)?.files ?? null
}

export function useFormDraft<Form extends object, Kept>(
  { key, what, saved, secrets = [] }: FormDraftOptions<Form>,
  files: FormFiles<Kept | null> = noFiles,
) {
  const kept = useKeptDraft<StoredForm<Form, Kept>>(key)
  const [form, setForm] = useState<Form>(() => ({ ...saved, ...kept?.form }))
  const [isRestored, setIsRestored] = useState(kept !== null)
  const isUnsaved = files.isChanged || JSON.stringify(form) !== JSON.stringify(saved)
  const text = JSON.stringify({ form: withValuesOf(saved, form, secrets), files: files.kept })
  const data = useMemo(() => JSON.parse(text) as StoredForm<Form, Kept>, [text])
  const unsaved = useUnsavedForm({ key, what, isUnsaved, data })
  return {
    form,
    setForm,
    isUnsaved,
    leave: unsaved.leave,
    isRestored: isRestored && isUnsaved,
    discard() {
      setForm(saved)
      setIsRestored(false)
      files.clear()
      unsaved.saved()
    },
    /** Deletes the draft. Call after a save, before the dialog or screen closes. */
    saved() {
      setIsRestored(false)
      unsaved.saved()
    },
  }
}

/** Returns `form` with the given fields reset to their saved values. */
export function withValuesOf<Form extends object>(
  saved: Form,
  form: Form,
  fields: readonly (keyof Form)[],
): Form {
  const result = { ...form }
  for (const field of fields) result[field] = saved[field]
  return result
}
