// /admin/categories/{slug}: a category and its tracks.
import { IconArrowLeft, IconCategory2 } from '#web/base/ui/icons/icons.ts'
import { useId, useState } from 'react'
import { useParams } from 'react-router'
import type { AdminCategory } from '#contract/admin/admin-categories.ts'
import { ApiError } from '../../base/api/api.ts'
import { useDocumentTitle } from '../../base/session/document-title.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { errorText } from '../../base/api/show-error.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { showReason } from '../shared/admin-failure.ts'
import { AdminPage } from '../shared/admin-page.tsx'
import { useFailureToast } from '../shared/lists/data-table.tsx'
import { CategoryEditor } from './category-editor.tsx'
import { useAdminCategory, useShowCategory } from './category-queries.ts'
import styles from './category-screen.module.css'
import { CategoryTracks } from './category-tracks.tsx'
import layout from '../../base/ui/layout/layout.module.css'

const back = (
  <ButtonLink
    to="/admin/categories"
    variant="quiet"
    size="small"
    icon={<IconArrowLeft size={18} />}
  >
    Categories
  </ButtonLink>
)

export function CategoryScreen() {
  const { category: slug = '' } = useParams()
  const { data, error, isFetching, refetch } = useAdminCategory(slug)
  const isMissing = error instanceof ApiError && error.code === 'category_not_found'
  useFailureToast(isMissing ? null : error, (reason) =>
    showReason(reason, 'Failed to fetch categories'),
  )
  useDocumentTitle(data && `Manage ${data.display_name}`)
  if (data) return <CategoryPage key={data.id} category={data} isDeleted={isMissing} />
  if (isMissing) {
    return <EmptyState icon={<IconCategory2 />} title="Category not found" action={back} />
  }
  if (error) {
    return (
      <ErrorState
        title="Failed to fetch categories"
        message={errorText(error)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <div className={layout.stack5} aria-busy="true">
      <Skeleton width="16rem" height="2.25rem" />
      <Skeleton height="20rem" />
    </div>
  )
}

function CategoryPage({ category, isDeleted }: { category: AdminCategory; isDeleted: boolean }) {
  const formId = useId()
  const [isSaving, setIsSaving] = useState(false)
  const showing = useShowCategory()
  const { is_visible, track_count } = category
  return (
    <AdminPage
      title={`Manage ${category.display_name}`}
      back={back}
      note={
        <>
          {track_count.toLocaleString('en')} {track_count === 1 ? 'track' : 'tracks'}{' '}
          <Badge tone={is_visible ? 'success' : 'neutral'}>
            {is_visible ? 'Visible' : 'Hidden'}
          </Badge>
        </>
      }
      actions={
        <Button
          disabled={isDeleted}
          busy={showing.isPending}
          onClick={() => showing.mutate(category)}
        >
          {is_visible ? 'Hide' : 'Show'}
        </Button>
      }
    >
      <div className={styles.columns}>
        <Card title="Category Info">
          <CategoryEditor {...{ formId, category, isDeleted }} onSavingChange={setIsSaving}>
            <span className={styles.save}>
              <Button variant="primary" type="submit" busy={isSaving} disabled={isDeleted}>
                Save Changes
              </Button>
            </span>
          </CategoryEditor>
        </Card>
        <CategoryTracks category={category} />
      </div>
    </AdminPage>
  )
}
