// The form of a category that exists: in a dialog over the list, and on its own page.
import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { updateCategory } from '#contract/admin-categories.ts'
import type { Category } from '#contract/categories.ts'
import { call } from '../../app/api.ts'
import { LeaveDialog } from '../../app/leave-dialog.tsx'
import { showToast } from '../../ui/toast-store.ts'
import { showReason } from '../admin-failure.ts'
import { coverPath } from '../cover-field.tsx'
import styles from '../dialog-form.module.css'
import { useAct } from '../use-act.ts'
import { changedFields, useDraft } from '../use-draft.ts'
import { useUpload } from '../use-upload.ts'
import { CategoryFields } from './category-fields.tsx'

export interface CategoryEditorProps {
  formId: string
  category: Category
  onSavingChange?: (isSaving: boolean) => void
  onSaved?: () => void
  /** Under the fields. */
  children?: ReactNode
}

export function CategoryEditor(props: CategoryEditorProps) {
  const { formId, category, onSavingChange, onSaved, children } = props
  const { base, form, isChanged, setForm, restart } = useDraft(category, formOf)
  const [nameError, setNameError] = useState<string>()
  const [coverRemoved, setCoverRemoved] = useState(false)
  const nameInput = useRef<HTMLInputElement>(null)
  const cover = useUpload('covers')
  const saving = useAct({
    async run() {
      const cover_path = await coverPath(cover, coverRemoved)
      return await call(updateCategory, {
        params: { id: category.id },
        body: { ...changedFields(form, formOf(base)), cover_path },
      })
    },
    onSavingChange,
    refresh: ['categories'],
    done: 'Category updated successfully',
    onDone(saved) {
      restart(saved)
      cover.clear()
      setCoverRemoved(false)
      onSaved?.()
    },
    failed: (error) => showReason(error, 'Failed to update category'),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const isMissing = !form.display_name.trim()
    setNameError(isMissing ? 'Display name is required' : undefined)
    if (isMissing) {
      showToast({
        tone: 'destructive',
        title: 'Missing fields',
        message: 'Category name and display name are required',
      })
      nameInput.current?.focus()
    } else if (!saving.isPending) saving.mutate()
  }

  return (
    <form id={formId} className={styles.form} noValidate onSubmit={submit}>
      <CategoryFields
        form={form}
        onChange={(changes) => setForm({ ...form, ...changes })}
        nameError={nameError}
        nameInput={nameInput}
        upload={cover}
        current={category}
        removed={coverRemoved}
        onRemovedChange={setCoverRemoved}
      />
      {children}
      <LeaveDialog
        isUnsaved={isChanged || coverRemoved || cover.state.status !== 'idle'}
        what="this category"
      />
    </form>
  )
}

function formOf({ display_name, description }: Category) {
  return { display_name, description: description ?? '' }
}
