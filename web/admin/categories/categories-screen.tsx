// /admin/categories: what members browse by.
import { IconCategory2, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Category } from '#contract/categories.ts'
import { formatCount } from '../../catalogue/format-duration.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { showReason } from '../admin-failure.ts'
import { AdminPage } from '../admin-page.tsx'
import { CardGrid } from '../card-grid.tsx'
import { useLast } from '../use-last.ts'
import { AddCategoryDialog } from './add-category-dialog.tsx'
import { CategoryCard } from './category-card.tsx'
import { useAdminCategories, useDeleteCategory } from './category-queries.ts'
import { EditCategoryDialog } from './edit-category-dialog.tsx'

export function CategoriesScreen() {
  const categories = useAdminCategories()
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<Category | null>(null)
  const [deleting, setDeleting] = useState<Category | null>(null)
  const shown = useLast(deleting)
  const deletion = useDeleteCategory(() => setDeleting(null))
  const addButton = (
    <Button variant="primary" icon={<IconPlus />} onClick={() => setAdding(true)}>
      Add Category
    </Button>
  )
  return (
    <AdminPage
      title="Category Management"
      note="What members browse by. Hidden ones are seen here only."
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
        {(categories.data?.data ?? []).map((category) => (
          <CategoryCard
            key={category.id}
            category={category}
            onEdit={() => setEditing(category)}
            onDelete={() => setDeleting(category)}
          />
        ))}
      </CardGrid>
      <AddCategoryDialog open={adding} onClose={() => setAdding(false)} />
      <EditCategoryDialog category={editing} onClose={() => setEditing(null)} />
      <ConfirmDialog
        open={deleting !== null}
        title={`Delete ${shown?.display_name ?? 'category'}`}
        message={shown ? deleteWords(shown) : ''}
        confirmLabel="Delete"
        busy={deletion.isPending}
        onConfirm={() => deleting && deletion.mutate(deleting)}
        onCancel={() => setDeleting(null)}
      />
    </AdminPage>
  )
}

function deleteWords({ track_count }: Category): string {
  const tracks = formatCount(track_count, 'track', 'tracks')
  const verb = track_count === 1 ? 'stays' : 'stay'
  return `This category has ${tracks}, which ${verb} without a category. This action cannot be undone.`
}
