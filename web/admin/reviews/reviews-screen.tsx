// /admin/reviews: shows creators their own reviews, and editors the drafts of all creators.
import { useMay } from '../../base/session/use-may.ts'
import { EditorReviews } from './editor-reviews.tsx'
import { OwnReviews } from './own-reviews.tsx'

export function ReviewsScreen() {
  return useMay('editor') ? <EditorReviews /> : <OwnReviews />
}
