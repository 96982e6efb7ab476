// /admin/reviews: for creators their own reviews, for editors those of all creators.
import { useMay } from '../../base/session/use-may.ts'
import { EditorReviews } from './editor-reviews.tsx'
import { OwnReviews } from './own-reviews.tsx'

export function ReviewsScreen() {
  return useMay('editor') ? <EditorReviews /> : <OwnReviews />
}
