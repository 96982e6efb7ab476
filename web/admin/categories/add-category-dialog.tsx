// Dialog to create a category. Its slug is the typed name in lower case, with hyphens for spaces.
import { useId, useState, type FormEvent } from 'react'
import { createCategory } from '#contract/admin/admin-categories.ts'
import { toSlug } from '#contract/fields/slug.ts'
import { call } from '../../base/api/api.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { useFormDraft, useKeptFiles } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { showReason } from '../shared/admin-failure.ts'
import { noCover } from '../shared/cover-field.tsx'
import styles from '../shared/dialog-form.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useCover, type DraftCover } from '../shared/use-cover.ts'
import { CategoryFields } from './category-fields.tsx'

export function AddCategoryDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add Category"
      footer={
        <FormButtons form={formId} label="Create Category" busy={isSaving} onCancel={onClose} />
      }
    >
      <AddCategoryForm formId={formId} onSavingChange={setIsSaving} onSaved={onClose} />
    </Dialog>
  )
}

const draftKey = 'category:new'
const emptyForm = { category: '', display_name: '', description: '' }

interface CategoryProblems {
  category: string
  display_name: string
}

interface AddCategoryFormProps {
  formId: string
  onSavingChange: (isSaving: boolean) => void
  onSaved: () => void
}

function AddCategoryForm({ formId, onSavingChange, onSaved }: AddCategoryFormProps) {
  const { form: element, problems, showProblems } = useProblems<CategoryProblems>()
  const cover = useCover(useKeptFiles<DraftCover>(draftKey))
  const draft = useFormDraft({ key: draftKey, what: 'the new category', saved: emptyForm }, cover)
  const { form, setForm } = draft
  const slug = toSlug(form.category)

  const creating = useAdminMutation({
    async run() {
      const cover_path = await cover.path()
      return await call(createCategory, { body: { ...form, cover_path } })
    },
    onSavingChange,
    refresh: ['categories'],
    done: 'Category created successfully',
    onDone() {
      draft.saved()
      onSaved()
    },
    failed: (error) => showReason(error, 'Failed to create category'),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const isRefused = showProblems({
      ...(!slug && { category: 'Category name is required' }),
      ...(!form.display_name.trim() && { display_name: 'Display name is required' }),
    })
    if (isRefused) {
      showToast({
        tone: 'destructive',
        title: 'Missing fields',
        message: 'Category name and display name are required',
      })
    } else if (!creating.isPending) creating.mutate()
  }

  return (
    <form ref={element} id={formId} className={styles.form} noValidate onSubmit={submit}>
      <RestoredNote isShown={draft.isRestored} onDiscard={draft.discard} />
      <TextField
        data-autofocus
        label="Category Name"
        required
        maxLength={120}
        spellCheck={false}
        hint={
          slug
            ? `Used in the URL: ${slug}`
            : 'Used in the URL: lower case, with hyphens for spaces.'
        }
        value={form.category}
        error={problems.category}
        onChange={(event) => setForm({ ...form, category: event.target.value })}
      />
      <CategoryFields
        form={form}
        onChange={(changes) => setForm({ ...form, ...changes })}
        nameError={problems.display_name}
        upload={cover.upload}
        current={noCover}
        removed={false}
        onRemovedChange={() => {}}
      />
    </form>
  )
}
