// Changing a category without leaving the list.
import { useId, useState } from 'react'
import type { Category } from '#contract/categories.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useLast } from '../use-last.ts'
import { CategoryEditor } from './category-editor.tsx'

export interface EditCategoryDialogProps {
  /** Null: closed. */
  category: Category | null
  onClose: () => void
}

export function EditCategoryDialog({ category, onClose }: EditCategoryDialogProps) {
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  const shown = useLast(category)
  return (
    <Dialog
      open={category !== null}
      onClose={onClose}
      title="Edit Category"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={isSaving}>
            Save Changes
          </Button>
        </>
      }
    >
      {shown && (
        <CategoryEditor
          key={shown.id}
          formId={formId}
          category={shown}
          onSavingChange={setIsSaving}
          onSaved={onClose}
        />
      )}
    </Dialog>
  )
}
