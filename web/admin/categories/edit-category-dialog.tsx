// Dialog to edit a category from the list.
import { useId, useState } from 'react'
import type { AdminCategory } from '#contract/admin/admin-categories.ts'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { useLast } from '../shared/lists/use-last.ts'
import { CategoryEditor } from './category-editor.tsx'

export interface EditCategoryDialogProps {
  /** Null while the dialog is closed. */
  category: AdminCategory | null
  isDeleted: boolean
  onClose: () => void
}

export function EditCategoryDialog({ category, isDeleted, onClose }: EditCategoryDialogProps) {
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  const shown = useLast(category)
  return (
    <Dialog
      open={category !== null}
      onClose={onClose}
      title="Edit Category"
      footer={
        <FormButtons
          form={formId}
          label="Save Changes"
          busy={isSaving}
          disabled={isDeleted}
          onCancel={onClose}
        />
      }
    >
      {shown && (
        <CategoryEditor
          key={shown.id}
          formId={formId}
          category={shown}
          isDeleted={isDeleted}
          onSavingChange={setIsSaving}
          onSaved={onClose}
        />
      )}
    </Dialog>
  )
}
