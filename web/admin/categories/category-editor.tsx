// The form to edit a category. Used in a dialog and on the category's page.
import { type FormEvent, type ReactNode } from 'react'
import { updateCategory, type AdminCategory } from '#contract/admin/admin-categories.ts'
import { call } from '../../base/api/api.ts'
import { useKeptFiles } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { showReason } from '../shared/admin-failure.ts'
import { EditNotes } from '../conflicts/edit-notes.tsx'
import { getChangedFields } from '../conflicts/merge-forms.ts'
import { useVersionedForm, type VersionedFormKind } from '../conflicts/use-versioned-form.ts'
import styles from '../shared/dialog-form.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useCover, type DraftCover } from '../shared/use-cover.ts'
import { CategoryFields } from './category-fields.tsx'

export interface CategoryEditorProps {
  formId: string
  category: AdminCategory
  /** True if the category has been deleted since the form was opened. */
  isDeleted: boolean
  onSavingChange?: (isSaving: boolean) => void
  onSaved?: () => void
  /** Rendered below the fields. */
  children?: ReactNode
}

export function CategoryEditor(props: CategoryEditorProps) {
  const { formId, category, isDeleted, onSavingChange, onSaved, children } = props
  const key = `category:${category.id}`
  const cover = useCover(useKeptFiles<DraftCover>(key))
  const edit = useVersionedForm(key, category, categoryForm, cover)
  const { form, setForm } = edit
  const { form: element, problems, showProblems } = useProblems<{ display_name: string }>()
  const saving = useAdminMutation({
    async run() {
      const cover_path = await cover.path()
      return await edit.save(({ form: wanted, base, version }) =>
        call(updateCategory, {
          params: { id: category.id },
          body: { ...getChangedFields(wanted, base), cover_path, version },
        }),
      )
    },
    onSavingChange,
    refresh: ['categories'],
    done: 'Category updated successfully',
    onDone(saved) {
      edit.restart(saved)
      onSaved?.()
    },
    failed: (error) => showReason(error, 'Failed to update category'),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const display_name = form.display_name.trim() ? undefined : 'Display name is required'
    const isRefused = showProblems({ display_name })
    if (isDeleted) return
    if (isRefused) {
      showToast({
        tone: 'destructive',
        title: 'Missing fields',
        message: 'Category name and display name are required',
      })
    } else if (!saving.isPending) saving.mutate()
  }

  return (
    <form ref={element} id={formId} className={styles.form} noValidate onSubmit={submit}>
      <EditNotes edit={edit} deletionNote={isDeleted ? 'This category was deleted.' : undefined} />
      <CategoryFields
        form={form}
        onChange={(changes) => setForm({ ...form, ...changes })}
        nameError={problems.display_name}
        upload={cover.upload}
        current={category}
        removed={cover.isRemoved}
        onRemovedChange={cover.setIsRemoved}
      />
      {children}
    </form>
  )
}

const categoryForm: VersionedFormKind<AdminCategory, CategoryForm> = {
  what: 'this category',
  formOf: ({ display_name, description }) => ({ display_name, description: description ?? '' }),
  labels: { display_name: 'Display Name', description: 'Description' },
}

interface CategoryForm {
  display_name: string
  description: string
}
