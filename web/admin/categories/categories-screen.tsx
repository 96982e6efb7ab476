// /admin/categories: the categories shown to members.
import { IconCategory2, IconPlus } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import type { AdminCategory } from '#contract/admin/admin-categories.ts'
import type { Category } from '#contract/categories.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { AdminPage } from '../shared/admin-page.tsx'
import { CardGrid } from '../shared/lists/card-grid.tsx'
import { useLast } from '../shared/lists/use-last.ts'
import { AddCategoryDialog } from './add-category-dialog.tsx'
import { CategoryCard } from './category-card.tsx'
import { useAdminCategories, useDeleteCategory, useMoveCategory } from './category-queries.ts'
import { EditCategoryDialog } from './edit-category-dialog.tsx'

export function CategoriesScreen() {
  const categories = useAdminCategories()
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<AdminCategory | null>(null)
  const [deleting, setDeleting] = useState<Category | null>(null)
  const shown = useLast(deleting)
  const deletion = useDeleteCategory(() => setDeleting(null))
  const list = categories.data?.data ?? []
  const edited = list.find(({ id }) => id === editing?.id)
  const moving = useMoveCategory()
  const [moved, setMoved] = useState('')
  const addButton = (
    <Button variant="primary" icon={<IconPlus />} onClick={() => setAdding(true)}>
      Add Category
    </Button>
  )
  return (
    <AdminPage
      title="Category Management"
      note="Members browse the categories in this order. Hidden categories appear only here."
      actions={addButton}
    >
      <CardGrid
        query={categories}
        failedTitle="Failed to fetch categories"
        onFailed={(error) => showReason(error, 'Failed to fetch categories')}
        empty={
          <EmptyState icon={<IconCategory2 />} title="No categories available" action={addButton} />
        }
      >
        {list.map((category, index) => (
          <CategoryCard
            key={category.id}
            category={category}
            isFirst={index === 0}
            isLast={index === list.length - 1}
            onMove={(by) => {
              moving.mutate({ category, by })
              setMoved(
                `${category.display_name} moved to position ${index + 1 + by} of ${list.length}`,
              )
            }}
            onEdit={() => setEditing(category)}
            onDelete={() => setDeleting(category)}
          />
        ))}
      </CardGrid>
      <VisuallyHidden role="status">{moved}</VisuallyHidden>
      <AddCategoryDialog open={adding} onClose={() => setAdding(false)} />
      <EditCategoryDialog
        category={editing && (edited ?? editing)}
        isDeleted={editing !== null && categories.data !== undefined && !edited}
        onClose={() => setEditing(null)}
      />
      <ConfirmDialog
        open={deleting !== null}
        title={`Delete ${shown?.display_name ?? 'category'}`}
        message={shown ? describeDeletion(shown) : ''}
        confirmLabel="Delete"
        busy={deletion.isPending}
        onConfirm={() => deleting && deletion.mutate(deleting)}
        onCancel={() => setDeleting(null)}
      />
    </AdminPage>
  )
}

function describeDeletion({ track_count }: Category): string {
  const tracks = formatCount(track_count, 'track', 'tracks')
  const verb = track_count === 1 ? 'stays' : 'stay'
  return `This category has ${tracks}, which ${verb} without a category. This action cannot be undone.`
}
