// Notice on every screen that an editor published or returned drafts of this creator.
import { IconChecklist } from '#web/base/ui/icons/icons.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { formatCount } from '../../base/format/format-duration.ts'
import { useOwnReviews } from './review-queries.ts'
import styles from './reviews.module.css'

export function ReviewNotice() {
  const { data } = useOwnReviews(1)
  const news = data?.data.filter(({ is_new }) => is_new) ?? []
  const [first] = news
  return (
    <div role="status">
      {data && data.new_count > 0 && (
        <p className={styles.notice}>
          <IconChecklist aria-hidden="true" />
          <span>
            {first && data.new_count === 1
              ? `“${first.title}” was ${first.state === 'published' ? 'published' : 'returned with a note'}.`
              : `${formatCount(data.new_count, 'draft was', 'drafts were')} reviewed.`}{' '}
            <ScreenLink to="/admin/reviews">Reviews</ScreenLink>
          </span>
        </p>
      )}
    </div>
  )
}
